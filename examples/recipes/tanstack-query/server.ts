/**
 * What the page may ask for. Run it with `npx tsx server.ts`, and let Vite pass
 * /api on to it.
 */
import { createServer } from "node:http";
import { errorResponse, Notetaker } from "notetaker-sdk";
import { toNodeListener } from "notetaker-sdk/webhooks";

const { rooms, meetings } = new Notetaker();

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const options = { signal: request.signal };
  if (pathname === "/api/rooms") {
    const cursor = searchParams.get("cursor") ?? undefined;
    const params = { limit: 20, expand: ["meetings"], cursor } as const;
    return Response.json(await rooms.list(params, options));
  }
  const [, id] = /^\/api\/transcripts\/(mtg_[\w-]+)$/.exec(pathname) ?? [];
  if (id === undefined) return new Response(null, { status: 404 });
  return Response.json(await meetings.getTranscript(id, options));
}

const listener = toNodeListener((request) =>
  answer(request).catch(errorResponse),
);
createServer(listener).listen(Number(process.env.PORT ?? 3001));
