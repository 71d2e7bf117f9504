import { errorResponse, Notetaker } from "notetaker-sdk";

// Created at the first request: `next build` loads this file without a token.
let notetaker: Notetaker | undefined;

export async function PUT({ url, body, headers, signal }: Request) {
  const title = new URL(url).searchParams.get("title") ?? undefined;
  const contentType = headers.get("content-type") ?? undefined;
  const size = Number(headers.get("content-length")) || undefined;
  const recording = { title, contentType, size };
  try {
    notetaker ??= new Notetaker();
    const source = body ?? new Blob();
    return Response.json(await notetaker.meetings.upload(source, recording, { signal }));
  } catch (error) {
    return errorResponse(error);
  }
}
