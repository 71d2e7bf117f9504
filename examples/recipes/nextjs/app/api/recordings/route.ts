import { errorResponse } from "notetaker-sdk";
import { notetakerOf } from "../../../lib/notetaker";
import { currentUser } from "../../../lib/session";

/** The body is passed on as it arrives: the page's progress is the service's. */
export async function PUT({ url, headers, body, signal }: Request) {
  const user = await currentUser();
  if (user === undefined) return new Response(null, { status: 401 });
  const recording = {
    title: new URL(url).searchParams.get("title") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    size: Number(headers.get("content-length")) || undefined,
  };
  try {
    const { meetings } = notetakerOf(user.tenant);
    const source = body ?? new Uint8Array();
    return Response.json(await meetings.upload(source, recording, { signal }));
  } catch (error) {
    if (!signal.aborted) console.error("upload", error);
    return errorResponse(error);
  }
}
