/**
 * Rooms and transcripts in a React page with TanStack Query. The token stays on
 * the server: this file handles the requests that the page may send. Run it
 * with `npx tsx server.ts`, and let the development server of the page (Vite,
 * for example) forward /api to it.
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
    // A page is serialised as `data`, `next_cursor` and `has_more`.
    return Response.json(
      await notetaker.rooms.list(
        { limit: 20, expand: ["meetings"], cursor },
        options,
      ),
    );
  }
  const [, meetingId] =
    /^\/api\/transcripts\/(mtg_[\w-]+)$/.exec(pathname) ?? [];
  if (meetingId !== undefined)
    return Response.json(
      await notetaker.meetings.getTranscript(meetingId, options),
    );
  return Response.json({ message: "Not found" }, { status: 404 });
}

/**
 * The web page gets only errors that it can act on: not found (yet), and when
 * to try again.
 */
function failure(error: unknown, { signal }: Request): Response {
  if (error instanceof RateLimitedError) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return Response.json(
      { message: `Try again in ${seconds} seconds.` },
      { status: 429 },
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    return Response.json({ message: "Not found" }, { status: 404 });
  }
  // If the user has left the page, the call was aborted: this is not an error.
  if (!signal.aborted) console.error(error);
  return Response.json(
    { message: "The service does not respond." },
    { status: 502 },
  );
}

const listener = toNodeListener((request) =>
  answer(request).catch((error) => failure(error, request)),
);
createServer(listener).listen(Number(process.env.PORT ?? 3001));
