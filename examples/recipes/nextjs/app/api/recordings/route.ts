import { errorResponse } from "notetaker-sdk";
import { notetaker } from "../../../lib/notetaker";

/** The body is passed on as it arrives: the page's progress is the service's. */
export async function PUT({ url, headers, body, signal }: Request) {
  const recording = {
    title: new URL(url).searchParams.get("title") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    size: Number(headers.get("content-length")) || undefined,
  };
  try {
    const source = body ?? new Uint8Array();
    const { meetings } = notetaker();
    return Response.json(await meetings.upload(source, recording, { signal }));
  } catch (error) {
    return errorResponse(error);
  }
}
