/** This program runs in the page: the client, and the emulator behind msw's service worker. */
import { setupWorker } from "msw/browser";
import { Notetaker, type NotetakerError } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";

const service = createEmulator();
const failure = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => ({ name: "none", message: "it succeeded" }),
    (error: NotetakerError) => error,
  );

async function run() {
  await setupWorker(...service.handlers()).start({ quiet: true, onUnhandledRequest: "bypass" });
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token });
  const once = { maxRetries: 0 };
  const seen: Record<string, unknown> = {};

  const rooms = await notetaker.rooms.list({ limit: 2, expand: ["meetings"] }).toArray({ max: 50 });
  seen.rooms = rooms.map(({ title, meetings }) => `${title}: ${meetings.length}`);

  const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1234567890" });
  const waiting = notetaker.meetings.waitForTranscript(meeting_id, { pollMs: 10 });
  await service.meetings.finish(meeting_id);
  seen.transcript = (await waiting).meeting_id === meeting_id;

  const file = Uint8Array.from({ length: 70_000 }, (_, index) => index % 253);
  const { id } = await notetaker.meetings.upload(new Blob([file], { type: "audio/wav" }), { title: "Panel 🎙" });
  const { stream } = await notetaker.meetings.downloadRecording(id);
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  seen.recording = bytes.length === file.length && bytes.every((byte, index) => byte === file[index]);

  seen.notFound = (await failure(notetaker.meetings.getTranscript("mtg_nobody"))).name;
  service.faults.next("GET /webhooks", "drop");
  seen.drop = (await failure(notetaker.webhooks.list(once))).name;
  service.faults.next("GET /webhooks", "truncate");
  seen.truncate = (await failure(notetaker.webhooks.list(once))).name;
  service.faults.next("GET /webhooks", "html");
  seen.html = (await failure(notetaker.webhooks.list(once))).name;
  service.faults.next("GET /webhooks", { delayMs: 5_000 });
  seen.timeout = (await failure(notetaker.webhooks.list({ ...once, timeoutMs: 50 }))).name;
  service.faults.next("GET /webhooks", { delayMs: 5_000 });
  const reason = new Error("the user left");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 20);
  seen.aborted = (await failure(notetaker.webhooks.list({ signal: controller.signal }))) === reason;
  service.faults.next("GET /webhooks", { status: 503, retryAfterSeconds: 0, times: 2 });
  seen.retried = (await notetaker.webhooks.list()).length;
  service.faults.next("GET /webhooks", { status: 429, retryAfterSeconds: 7 });
  seen.retryAfterMs = ((await failure(notetaker.webhooks.list(once))) as { retryAfterMs?: number }).retryAfterMs;

  const delivered: string[] = [];
  service.webhooks.deliverTo(async (request) => {
    delivered.push(((await request.json()) as { event: string }).event);
    return new Response(null, { status: 204 });
  });
  await service.meetings.finish(id);
  seen.delivered = delivered;
  return seen;
}

(globalThis as { done?: Promise<unknown> }).done = run();
