/**
 *   Vercel    api/captions/[name].ts, with
 *             `export const config = { runtime: "edge" }`
 *   Netlify   netlify/edge-functions/captions.ts, with
 *             `export default captions` and `config = { path: "/captions/*" }`
 *   Deno      deno serve --allow-env --allow-net captions.ts
 *   Bun       bun run captions.ts
 */
import {
  Notetaker,
  NotFoundError,
  RateLimitedError,
  type RequestOptions,
} from "notetaker-sdk";
import { toVtt } from "notetaker-sdk/transcript";

// A call ends after five seconds, including its retries.
const notetaker = new Notetaker({ deadlineMs: 5_000 });

export async function captions(request: Request): Promise<Response> {
  const [, meetingId] =
    /\/captions\/(mtg_[\w-]+)\.vtt$/.exec(new URL(request.url).pathname) ?? [];
  if (request.method !== "GET" || meetingId === undefined)
    return new Response("Not found", { status: 404 });

  const options = { signal: request.signal };
  try {
    if (!(await isPublic(meetingId, options)))
      return new Response("Not found", { status: 404 });
    const transcript = await notetaker.meetings.getTranscript(
      meetingId,
      options,
    );
    return new Response(toVtt(transcript, { minDurationSeconds: 1 }), {
      headers: {
        "content-type": "text/vtt; charset=utf-8",
        "cache-control": "public, max-age=60",
      },
    });
  } catch (error) {
    return failure(error);
  }
}

export default { fetch: captions };

async function isPublic(
  meetingId: string,
  options: RequestOptions,
): Promise<boolean> {
  for await (const { recipient } of notetaker.permissions.list(
    meetingId,
    {},
    options,
  )) {
    if (recipient.type === "anyone") return true;
  }
  return false;
}

function failure(error: unknown): Response {
  if (error instanceof NotFoundError)
    return new Response("Not found", { status: 404 });
  if (error instanceof RateLimitedError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1000);
    return new Response("Try again later", {
      status: 503,
      headers: { "retry-after": String(seconds) },
    });
  }
  console.error(error);
  return new Response("Bad gateway", { status: 502 });
}
