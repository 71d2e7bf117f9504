/** The one way to read bytes from any kind of source. */
import { PassThrough } from "node:stream";
import { ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { byteReader, isReadable } from "../../src/async/byte-reader.js";
import { clientOf, rejectionOf } from "../support/recorder.js";

/** A web stream as in Safari: it is not async iterable. */
const notIterable = (stream: ReadableStream) =>
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });

describe("a web stream that is not async iterable", () => {
  it("is read like any other stream", async () => {
    const { notetaker } = clientOf(() => {
      const response = new Response("[]");
      notIterable(response.body as ReadableStream);
      return response;
    });
    expect(await notetaker.webhooks.list()).toEqual([]);
  });

  it("is cancelled with a reason if it is not read to its end", () => {
    const cancel = vi.fn();
    byteReader(notIterable(new ReadableStream({ cancel }))).close("enough");
    expect(cancel).toHaveBeenCalledExactlyOnceWith("enough");
  });
});

describe("an async iterable as a source of bytes", () => {
  const iterable = (iterator: object) => ({ [Symbol.asyncIterator]: () => iterator }) as AsyncIterable<Uint8Array>;

  it("is returned if it is not read to its end and has a return method", () => {
    const ended = vi.fn(async () => Promise.reject(new Error("ignored")));
    byteReader(iterable({ return: ended })).close(undefined);
    expect(ended).toHaveBeenCalledOnce();
    expect(() => byteReader(iterable({})).close(undefined)).not.toThrow();
  });

  it("may throw synchronously instead of returning a promise", async () => {
    const next = () => {
      throw new Error("broken");
    };
    await expect(byteReader(iterable({ next })).read()).rejects.toThrow("broken");
  });
});

describe("isReadable", () => {
  it("accepts a web stream or an async iterable", () => {
    const readable = [new ReadableStream(), notIterable(new ReadableStream()), new PassThrough()];
    expect(readable.map(isReadable)).toEqual([true, true, true]);
    expect([null, undefined, "text", { getReader: true }, [1]].some(isReadable)).toBe(false);
  });

  it("refuses some bodies that a fetch may return, which are read through text()", async () => {
    const answer = () => Object.defineProperty(new Response("[ ]"), "body", { value: "[ ]" });
    const { notetaker } = clientOf(answer, { maxResponseBytes: 3 });
    expect(await notetaker.webhooks.list()).toEqual([]);
    const strict = clientOf(answer, { maxResponseBytes: 2 }).notetaker;
    await rejectionOf(ResponseValidationError, strict.webhooks.list());
  });
});
