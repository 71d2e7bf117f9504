/** How much of a body is read, and how, from every kind of body that a `fetch` may return. */
import { gzipSync } from "node:zlib";
import { BadRequestError, ConnectionError, NotetakerError, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientAt, httpServer } from "../support/loopback.js";
import { clientOf, failureOf, json, rejection, rejectionOf } from "../support/recorder.js";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A response whose body comes in these chunks, without a Content-Type header. */
const inChunks = (...chunks: Uint8Array[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );

/** A response without a stream, as in some runtimes. */
const withoutStream = (text: string, status = 200) =>
  Object.defineProperty(new Response(text, { status }), "body", { value: undefined });

describe("a body that comes in chunks", () => {
  it("may be split within a character", async () => {
    const whole = bytes('{"title":"é€😀"}');
    for (let at = 0; at <= whole.length; at += 1) {
      const { notetaker } = clientOf(() => inChunks(whole.slice(0, at), whole.slice(at)));
      expect(await notetaker.request("GET", "/x")).toEqual({ title: "é€😀" });
    }
  });

  it("that ends within a character counts as incomplete, and the error shows the text so far", async () => {
    const error = await failureOf(() => inChunks(bytes('"a'), bytes("é").slice(0, 1)));
    expect(error).toMatchObject({ name: "ResponseValidationError", body: '"a\ufffd', issues: [{ path: "" }] });
  });
});

describe("maxResponseBytes", () => {
  it.each<[string, (text: string) => Response]>([
    ["with a stream", (text) => new Response(text)],
    ["without a stream", (text) => withoutStream(text)],
  ])("accepts a body of exactly this length, and refuses one more byte: %s", async (_, make) => {
    const { notetaker, seen } = clientOf((_, index) => make(index === 0 ? "[     ]" : "[      ]"), {
      maxResponseBytes: 7,
    });
    expect(await notetaker.webhooks.list()).toEqual([]);
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error).toMatchObject({ outcome: "accepted", retryable: false, attempts: 1 });
    expect(error.message).toContain("(maxResponseBytes)");
    expect(seen).toHaveLength(2);
  });

  it("counts bytes, not characters", async () => {
    const error = await failureOf(() => json(["é".repeat(400)]), { maxResponseBytes: 500 });
    expect(error.message).toContain("(maxResponseBytes)");
  });

  it("counts the decompressed bytes of a compressed body, and closes its connection", async () => {
    const closed = vi.fn();
    const bomb = gzipSync(Buffer.alloc(20_000_000, " "));
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.write(bomb);
    });
    const { webhooks } = clientAt(origin, { maxResponseBytes: 1_000_000 });
    await rejectionOf(ResponseValidationError, webhooks.list());
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 60_000);
  });

  it.each([
    [200, "ResponseValidationError", "accepted"],
    [400, "BadRequestError", "rejected"],
  ])("ends the reading of a body that never ends, with status %i", async (status, name, outcome) => {
    const closed = vi.fn();
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(status, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" ".repeat(100_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const error = await rejectionOf(NotetakerError, clientAt(origin, { maxResponseBytes: 100_000 }).webhooks.list());
    expect(error).toMatchObject({ name, outcome });
    expect(JSON.stringify(error).length).toBeLessThan(64_000);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 60_000);
  });
});

describe("a body without a stream", () => {
  it("is read as text even without TextDecoder", async () => {
    const { notetaker } = clientOf(() => json([]));
    vi.stubGlobal("TextDecoder", undefined);
    expect(await notetaker.webhooks.list()).toEqual([]);
  });

  it("of an error response is read only as far as a body with a stream", async () => {
    const envelope = (length: number) =>
      JSON.stringify({ error: { code: "x", message: "m" }, pad: " ".repeat(length) });
    const withStream = (text: string, status: number) => new Response(text, { status });
    for (const [make, length, code] of [
      [withoutStream, 1_000, "x"],
      [withStream, 1_000, "x"],
      [withStream, 200_000, "x"],
      [withoutStream, 300_000, undefined],
    ] as const) {
      const error = await failureOf(() => make(envelope(length), 400));
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error.code).toBe(code);
    }
  });
});

it("the body of an error response that is no envelope is kept up to 2 KiB", async () => {
  const { body } = await failureOf(() => new Response("é".repeat(100_000), { status: 502 }));
  expect(body).toBe("é".repeat(2_048));
});

describe("a body that is not needed", () => {
  it("of a redirect is cancelled", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ cancel }, { highWaterMark: 0 });
    expect(await failureOf(() => new Response(body, { status: 302 }))).toBeInstanceOf(ConnectionError);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it("of a response that comes after the call was aborted is cancelled", async () => {
    const cancel = vi.fn();
    const controller = new AbortController();
    let answer: (response: Response) => void = () => {};
    const { notetaker, seen } = clientOf(() => new Promise<Response>((resolve) => (answer = resolve)));
    const call = rejection(notetaker.webhooks.list({ signal: controller.signal }));
    await vi.waitFor(() => expect(seen).toHaveLength(1), 60_000);
    controller.abort("mine");
    expect(await call).toBe("mine");
    answer(new Response(new ReadableStream({ cancel }, { highWaterMark: 0 })));
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1), 60_000);
  });

  it("of a call that is aborted meanwhile is cancelled with the reason", async () => {
    const cancel = vi.fn();
    const validate = vi.fn((value: unknown) => ({ value }));
    const schema = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const body = new ReadableStream({ start: (controller) => controller.enqueue(bytes("{}")), cancel });
    const controller = new AbortController();
    const { notetaker, seen } = clientOf(() => new Response(body));
    const call = rejection(notetaker.request("GET", "/x", { schema, signal: controller.signal }));
    await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 60_000, interval: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort("mine");
    expect(await call).toBe("mine");
    expect(cancel).toHaveBeenCalledExactlyOnceWith("mine");
    await new Promise((resolve) => setImmediate(resolve));
    expect(validate).not.toHaveBeenCalled();
  });
});
