/** The SDK's client against the emulator, in each of the ways in which a client can reach an emulator. */
import {
  ConnectionError,
  InvalidRequestError,
  type Notetaker,
  type NotetakerError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
} from "notetaker-sdk";
import type { Emulator } from "notetaker-sdk/testing";
import { beforeEach, describe, expect, test } from "vitest";

const LINK = { meeting_url: "https://us02web.zoom.us/j/1234567890" };
const failure = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => expect.unreachable("it succeeded"),
    (error: NotetakerError) => error,
  );

/** Tests every feature through `notetaker`, on the account of `service`. */
export function sdkOnEmulator(way: string, given: () => { service: Emulator; notetaker: Notetaker }): void {
  describe(`a client that reaches the emulator through ${way}`, () => {
    let service: Emulator;
    let notetaker: Notetaker;
    beforeEach(() => {
      ({ service, notetaker } = given());
      service.reset();
    });

    test("lists rooms across pages, with their meetings and documents", async () => {
      const rooms = await notetaker.rooms.list({ limit: 2, expand: ["meetings", "documents"] }).toArray({ max: 50 });
      expect(rooms.map(({ title }) => title)).toContain("Company planning");
      for (const room of rooms) expect(room.meetings).toHaveLength(room.meeting_count);
      expect(service.requests).toHaveLength(3);
    });

    test("sends a bot, and reads the meeting that it recorded", async () => {
      const { meeting_id, status } = await notetaker.meetings.sendBot(LINK);
      expect(status).toBe("scheduling");
      const waiting = notetaker.meetings.waitForTranscript(meeting_id, { pollMs: 10 });
      await service.meetings.finish(meeting_id);
      expect((await waiting).meeting_id).toBe(meeting_id);
      const { data } = await notetaker.meetings.list({ ids: [meeting_id], expand: ["documents"] });
      const [reference] = data[0]!.documents!;
      expect((await notetaker.documents.get(reference!.id)).format).toBe("html");
      const docx = await notetaker.documents.get(reference!.id, { format: "docx" });
      expect(atob(docx.content).slice(0, 2)).toBe("PK");
      const blocks = await notetaker.documents.get(reference!.id, { format: "json" });
      expect(JSON.parse(blocks.content)[0]).toMatchObject({ type: "heading" });
    });

    test("uploads a file, and downloads the same file as the recording", async () => {
      const file = Uint8Array.from({ length: 70_000 }, (_, index) => index % 253);
      const { id, status } = await notetaker.meetings.upload(file, { contentType: "audio/wav", title: "Panel 🎙" });
      expect(status).toBe("processing");
      await service.meetings.finish(id);
      expect(await notetaker.meetings.waitForCompletion(id)).toMatchObject({ title: "Panel 🎙", source: "upload" });
      const { stream, contentType } = await notetaker.meetings.downloadRecording(id);
      expect(contentType).toBe("audio/wav");
      expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(file);
    });

    test("resumes a download whose connection breaks", async () => {
      const { id } = service.meetings.list().find(({ recording }) => recording !== null)!;
      service.faults.next("GET /recordings/:key", "truncate");
      const { stream } = await notetaker.meetings.downloadRecording(id);
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      expect(bytes).toHaveLength(16_044);
      expect(service.requests.filter(({ route }) => route === "GET /recordings/{key}")).toMatchObject([
        { status: 200 },
        { status: 206 },
      ]);
    });

    test("retries only the calls that may be repeated", async () => {
      service.faults.next("GET /webhooks", { status: 503, retryAfterSeconds: 0, times: 2 });
      await notetaker.webhooks.list();
      expect(service.requests).toHaveLength(3);
      service.faults.next("POST /meetings/bot", { status: 503, retryAfterSeconds: 0 });
      const error = await failure(notetaker.meetings.sendBot(LINK));
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
      expect(service.faults.unused()).toEqual([]);
    });

    test("throws the right error for each way in which a response can fail", async () => {
      const once = { maxRetries: 0 };
      service.faults.next("GET /webhooks", "drop");
      expect(await failure(notetaker.webhooks.list(once))).toBeInstanceOf(ConnectionError);
      service.faults.next("GET /webhooks", "truncate");
      expect(await failure(notetaker.webhooks.list(once))).toBeInstanceOf(ConnectionError);
      service.faults.next("GET /webhooks", "malformed");
      expect(await failure(notetaker.webhooks.list(once))).toBeInstanceOf(ResponseValidationError);
      service.faults.next("GET /webhooks", "html");
      expect(await failure(notetaker.webhooks.list(once))).toMatchObject({ name: ServerError.name, status: 502 });
      service.faults.next("GET /webhooks", "validation");
      expect(await failure(notetaker.webhooks.list(once))).toBeInstanceOf(InvalidRequestError);
      service.faults.next("GET /webhooks", { delayMs: 2_000 });
      expect(await failure(notetaker.webhooks.list({ ...once, timeoutMs: 20 }))).toBeInstanceOf(TimeoutError);
      service.faults.next("GET /webhooks", { delayMs: 2_000 });
      const reason = new Error("the user left");
      const controller = new AbortController();
      const aborted = failure(notetaker.webhooks.list({ ...once, signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 10);
      expect(await aborted).toBe(reason);
    });
  });
}
