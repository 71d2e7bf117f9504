/** How the text of a body is read from every kind of body that a `fetch` may return. */
import { BadRequestError, ConnectionError, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, rejection, rejectionOf } from "../support/recorder.js";

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
    const { notetaker } = clientOf(() => inChunks(bytes('"a'), bytes("é").slice(0, 1)));
    const error = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x"));
    expect(error.body).toBe('"a\ufffd');
    expect(error.issues).toMatchObject([{ path: "" }]);
  });
});

describe("a body without a stream", () => {
  it("is read as text, up to maxResponseBytes", async () => {
    const { notetaker } = clientOf((_, index) => withoutStream(index === 0 ? "[     ]" : "[      ]"), {
      maxResponseBytes: 7,
    });
    expect(await notetaker.webhooks.list()).toEqual([]);
    await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
  });

  it("is read as text even without TextDecoder", async () => {
    const { notetaker } = clientOf(() => json([]));
    vi.stubGlobal("TextDecoder", undefined);
    expect(await notetaker.webhooks.list()).toEqual([]);
  });

  it("of an error response is read only as far as a body with a stream", async () => {
    const envelope = (length: number) =>
      JSON.stringify({ error: { code: "x", message: "m" }, pad: " ".repeat(length) });
    for (const make of [withoutStream, (text: string, status: number) => new Response(text, { status })]) {
      const { notetaker } = clientOf((_, index) => make(envelope(index === 0 ? 1_000 : 300_000), 400));
      expect(await rejectionOf(BadRequestError, notetaker.webhooks.list())).toMatchObject({ code: "x" });
    }
    const { notetaker } = clientOf(() => withoutStream(envelope(300_000), 400));
    expect((await rejectionOf(BadRequestError, notetaker.webhooks.list())).code).toBeUndefined();
  });
});

describe("a body that is not needed", () => {
  it("of a redirect is cancelled", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ cancel }, { highWaterMark: 0 });
    const { notetaker } = clientOf(() => new Response(body, { status: 302 }));
    await rejectionOf(ConnectionError, notetaker.webhooks.delete("whk_1"));
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

  it("may already have been read by a middleware", async () => {
    const read: unknown[] = [];
    const { notetaker } = clientOf(() => new Response("gone"), {
      middleware: [
        async (request, next) => {
          const response = await next(request);
          read.push(await response.text());
          return response;
        },
      ],
    });
    await notetaker.webhooks.delete("whk_1");
    expect(read).toEqual(["gone"]);
  });
});
