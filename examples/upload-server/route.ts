import { errorResponse, Notetaker } from "notetaker-sdk";

// Created at the first request: `next build` loads this file without a token.
let notetaker: Notetaker | undefined;

/** The login of your users belongs here: who sends the request, or `undefined`. */
const userOf = (_: Request): string | undefined => "everybody";

export async function PUT(request: Request) {
  if (userOf(request) === undefined) return new Response(null, { status: 401 });
  const { url, body, headers, signal } = request;
  const title = new URL(url).searchParams.get("title") ?? undefined;
  const contentType = headers.get("content-type") ?? undefined;
  const size = Number(headers.get("content-length")) || undefined;
  const recording = { title, contentType, size };
  try {
    notetaker ??= new Notetaker();
    const source = body ?? new Blob();
    return Response.json(await notetaker.meetings.upload(source, recording, { signal }));
  } catch (error) {
    console.error("upload", error);
    return errorResponse(error);
  }
}
