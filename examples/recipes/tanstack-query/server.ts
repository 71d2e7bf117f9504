/**
 * What the page may ask for. Run it with `npx tsx server.ts`, and let Vite pass
 * /api on to it.
 */
import { createServer } from "node:http";
import { errorResponse, Notetaker } from "notetaker-sdk";
import { toNodeListener } from "notetaker-sdk/webhooks";

const { rooms, meetings } = new Notetaker();

/** The login of your users belongs here: who sends the request, or `undefined`. */
const userOf = (_: Request): string | undefined => "everybody";
/** Where the page is. Under another name, a page of the web could read all. */
const HOSTS = ["localhost", "127.0.0.1"];

async function answer(request: Request): Promise<Response> {
  const { hostname, pathname, searchParams } = new URL(request.url);
  if (!HOSTS.includes(hostname)) return new Response(null, { status: 421 });
  if (userOf(request) === undefined) return new Response(null, { status: 401 });
  const options = { signal: request.signal };
  if (pathname === "/api/rooms") {
    const cursor = searchParams.get("cursor") ?? undefined;
    const params = { limit: 20, expand: ["meetings"], cursor } as const;
    return Response.json(await rooms.list(params, options));
  }
  const [, id = ""] = /^\/api\/transcripts\/([^/]+)$/.exec(pathname) ?? [];
  if (id === "") return new Response(null, { status: 404 });
  const transcript = meetings.getTranscript(decodeURIComponent(id), options);
  return Response.json(await transcript);
}

const listener = toNodeListener((request) =>
  answer(request).catch((error) => {
    console.error(request.method, new URL(request.url).pathname, error);
    return errorResponse(error);
  }),
);
const port = Number(process.env.PORT ?? 3001);
createServer(listener).listen(port, "127.0.0.1");
