import { errorResponse } from "notetaker-sdk";
import { notetaker } from "../../../../../lib/notetaker";

/** To a link that is short-lived, and for this reason new at each request. */
export async function GET(
  _: Request,
  { params }: { params: Promise<{ id: string }> },
) {
  try {
    const { id } = await params;
    const { recording_url } = await notetaker().meetings.getRecording(id);
    if (recording_url === null) return new Response(null, { status: 404 });
    return Response.redirect(recording_url);
  } catch (error) {
    return errorResponse(error);
  }
}
