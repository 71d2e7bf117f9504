import { errorResponse } from "notetaker-sdk";
import { notetakerOf } from "../../../../../lib/notetaker";
import { currentUser } from "../../../../../lib/session";

interface Context {
  params: Promise<{ id: string }>;
}

/** A link that is short-lived: the player asks for a new one when it has expired. */
export async function GET(_: Request, { params }: Context) {
  const user = await currentUser();
  if (user === undefined) return new Response(null, { status: 401 });
  const { id } = await params;
  try {
    const { meetings } = notetakerOf(user.tenant);
    return Response.json(await meetings.getRecording(id));
  } catch (error) {
    console.error("recording", id, error);
    return errorResponse(error);
  }
}
