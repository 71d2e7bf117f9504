/**
 * Gives a video player the captions of a meeting: GET /captions/mtg_1.vtt. It
 * serves only meetings that are shared with anyone who has the link. It needs
 * only `fetch`, no API of Node, so it runs as an edge function.
 *
 *   Vercel    api/captions/[name].ts, with
 *             `export const config = { runtime: "edge" }`
 *   Netlify   netlify/edge-functions/captions.ts, with
 *             `export default captions` and `config = { path: "/captions/*" }`
 *   Deno      deno serve --allow-env --allow-net captions.ts
 *   Bun       bun run captions.ts
 *
 * Variables: NOTETAKER_BASE_URL and NOTETAKER_TOKEN.
 */
import {
  Notetaker,
  NotFoundError,
  RateLimitedError,
  type RequestOptions,
} from "notetaker-sdk";
import { toVtt } from "notetaker-sdk/transcript";

// Created at module level, once for all requests of an instance: it opens no
// connection. An edge function may run only for seconds, so a call ends after
// five of them, including its retries.
const notetaker = new Notetaker({ deadlineMs: 5_000 });

export async function captions(request: Request): Promise<Response> {
  const [, meetingId] =
    /\/captions\/(mtg_[\w-]+)\.vtt$/.exec(new URL(request.url).pathname) ?? [];
  if (request.method !== "GET" || meetingId === undefined)
    return new Response("Not found", { status: 404 });

  // If the viewer disconnects, the calls are aborted.
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
  // There is no such meeting, or its transcript is not ready yet.
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
