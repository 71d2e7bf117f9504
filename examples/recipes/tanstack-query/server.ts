/**
 * Rooms and transcripts in a React page with TanStack Query. The token stays on the server: this file serves the
 * requests that the page may make. Run it with `npx tsx server.ts`, and let the page's own server (Vite, for example)
 * pass /api on to it.
 *
 * Variables: NOTETAKER_BASE_URL, NOTETAKER_TOKEN and PORT.
 */
import { createServer } from "node:http";
import { ApiError, Notetaker, RateLimitedError } from "notetaker-sdk";
import { toNodeListener } from "notetaker-sdk/webhooks";

const notetaker = new Notetaker();

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const options = { signal: request.signal };
  if (pathname === "/api/rooms") {
    const cursor = searchParams.get("cursor") ?? undefined;
    // As JSON, a page is `data`, `next_cursor` and `has_more`.
    return Response.json(await notetaker.rooms.list({ limit: 20, expand: ["meetings"], cursor }, options));
  }
  const [, meetingId] = /^\/api\/transcripts\/(mtg_[\w-]+)$/.exec(pathname) ?? [];
  if (meetingId !== undefined) return Response.json(await notetaker.meetings.getTranscript(meetingId, options));
  return Response.json({ message: "Not found" }, { status: 404 });
}

/** The page gets only what it can act on: that there is nothing (yet), or when to try again. */
function failure(error: unknown, { signal }: Request): Response {
  if (error instanceof RateLimitedError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return Response.json({ message: `Try again in ${seconds} seconds.` }, { status: 429 });
  }
  if (error instanceof ApiError && error.status === 404) {
    return Response.json({ message: "Not found" }, { status: 404 });
  }
  // A page that is gone has aborted the call.
  if (!signal.aborted) console.error(error);
  return Response.json({ message: "The service does not respond." }, { status: 502 });
}

const listener = toNodeListener((request) => answer(request).catch((error) => failure(error, request)));
createServer(listener).listen(Number(process.env.PORT ?? 3001));
