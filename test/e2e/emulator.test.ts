/** What random commands (test/model) leave out: recordings and broken responses, through msw and over HTTP. */
import { setupServer } from "msw/node";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

const service = createEmulator();
const server = setupServer(...service.handlers());
beforeAll(() => server.listen({ onUnhandledRequest: "bypass" }));
afterAll(() => server.close());

test.each(["msw", "HTTP"])(
  "a client of an emulator behind %s resumes downloads, and gets its failures",
  async (way) => {
    service.reset();
    const { url: baseUrl, close } = way === "msw" ? { url: service.baseUrl, close() {} } : await service.listen();
    onTestFinished(close);
    const { meetings, webhooks } = new Notetaker({ baseUrl, token: service.token });
    const { id } = service.meetings.list().find(({ recording }) => recording !== null)!;
    service.faults.next("GET /recordings/:key", "truncate");
    const { stream } = await meetings.downloadRecording(id);
    expect(await new Response(stream).arrayBuffer()).toHaveProperty("byteLength", 16_044);
    const downloads = service.requests.filter(({ route }) => route === "GET /recordings/{key}");
    expect(downloads.map(({ status }) => status)).toEqual([200, 206]);

    const file = Uint8Array.from({ length: 70_000 }, (_, index) => index % 253);
    const uploaded = await meetings.upload(file, { contentType: "audio/wav", title: "Panel 🎙" });
    await service.meetings.finish(uploaded.id);
    const saved = await meetings.downloadRecording(uploaded.id);
    expect(saved.contentType).toBe("audio/wav");
    expect(new Uint8Array(await new Response(saved.stream).arrayBuffer())).toEqual(file);

    for (const [fault, name] of [
      ["drop", "ConnectionError"],
      ["truncate", "ConnectionError"],
      ["malformed", "ResponseValidationError"],
      ["html", "ServerError"],
      ["validation", "InvalidRequestError"],
      [{ delayMs: 60_000 }, "TimeoutError"],
    ] as const) {
      service.faults.next("GET /webhooks", fault);
      await expect(webhooks.list({ timeoutMs: 500, maxRetries: 0 })).rejects.toMatchObject({ name });
    }
    service.faults.next("GET /webhooks", { delayMs: 60_000 });
    const reason = new Error("the user left");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 10);
    await expect(webhooks.list({ signal: controller.signal })).rejects.toBe(reason);
  },
);
