import { errorResponse, Notetaker } from "notetaker-sdk";

const notetaker = new Notetaker();

export function PUT({ url, body, headers, signal }: Request) {
  const title = new URL(url).searchParams.get("title") ?? undefined;
  const contentType = headers.get("content-type") ?? undefined;
  const size = Number(headers.get("content-length")) || undefined;
  return notetaker.meetings
    .upload(body ?? new Blob(), { title, contentType, size }, { signal })
    .then((meeting) => Response.json(meeting), errorResponse);
}
