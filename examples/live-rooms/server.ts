/**
 * A page that lists rooms, and shows at once when a transcript is ready: `npx tsx examples/live-rooms/server.ts`.
 *
 * The emulator takes the place of the service. It delivers webhook events to this server. The receiver handles the
 * events, and the relay passes them on to every open page. To use the live service, leave out `demoService`.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { createReceiver, createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import { demoSeed } from "./demo-seed.js";

const PAGE: Record<string, [file: string, type: string]> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript; charset=utf-8"],
  "/style.css": ["style.css", "text/css; charset=utf-8"],
};

export const demoService = (): Emulator => createEmulator({ seed: demoSeed, now: Date.now, life: "manual" });

/**
 * The secrets, by the id of their webhook. The service shows each secret only once, so a real application stores it.
 */
const secrets = new Map<string, string>();

/** The rooms with their meetings. `has_summary` is not a field of the service: a room does not list documents. */
async function listRooms(notetaker: Notetaker) {
  const rooms = await notetaker.rooms.list({ expand: ["meetings"] }).toArray({ max: 100 });
  const meetings = await notetaker.meetings.list({ expand: ["documents"] }).toArray({ max: 1_000 });
  const summarised = new Set<string>();
  for (const { id, documents } of meetings) {
    if (documents?.some(({ title }) => /summary/i.test(title ?? ""))) summarised.add(id);
  }
  return rooms.map((room) => ({
    ...room,
    meetings: room.meetings.map((meeting) => ({ ...meeting, has_summary: summarised.has(meeting.id) })),
  }));
}

export interface LiveRooms {
  url: string;
  close(): Promise<void>;
}

export async function startLiveRooms({ port = 4020, service = demoService() } = {}): Promise<LiveRooms> {
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const receiver = createReceiver({ secrets: () => [...secrets.values()] });
  // A real application returns the id of the logged-in user here, and publishes to that audience.
  const relay = createRelay({ authorize: () => true, heartbeatMs: 5_000, retryMs: 500 });
  receiver.onUnhandled((event) => relay.publish(event));

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/hooks/notetaker") return receiver.handle(request);
    if (pathname === "/events") return relay.handle(request);
    if (pathname === "/api/rooms") return Response.json(await listRooms(notetaker));
    const [, meetingId, action] = /^\/api\/meetings\/(\w+)\/(transcript|finish)$/.exec(pathname) ?? [];
    if (meetingId && action === "transcript") return Response.json(await notetaker.meetings.getTranscript(meetingId));
    if (meetingId && action === "finish" && request.method === "POST") {
      if (service.meetings.get(meetingId)?.status !== "processing") return new Response(null, { status: 409 });
      // The service does this by itself when a call is over.
      void service.meetings.finish(meetingId);
      return new Response(null, { status: 202 });
    }
    const [file, type] = PAGE[pathname] ?? [];
    if (!file || !type) return new Response("not found", { status: 404 });
    return new Response(await readFile(new URL(file, import.meta.url)), { headers: { "Content-Type": type } });
  }

  const server = createServer(toNodeListener(handle));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await notetaker.webhooks.ensure({
    url: `${url}/hooks/notetaker`,
    events: ["meeting.transcript_ready", "meeting.initial_summary_ready"],
    secretStore: { get: ({ id }) => secrets.get(id), set: ({ id }, secret) => secrets.set(id, secret) },
  });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        relay.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await startLiveRooms();
  console.log(`Rooms, live: ${url}`);
}
