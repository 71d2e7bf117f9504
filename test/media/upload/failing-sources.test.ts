/** A source that cannot be opened causes one of the library's errors, which says that nothing was sent. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import {
  type ClientOptions,
  ConnectionError,
  type Fetch,
  InvalidArgumentError,
  Notetaker,
  RateLimitedError,
  TimeoutError,
  type UploadSource,
} from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { BASE_URL, json, refusal, rejectionOf, TOKEN } from "../../support/recorder.js";
import { ACCEPTED, bytesOfLength } from "./upload-service.js";

const wav = { contentType: "audio/wav" };
const bytes = bytesOfLength(1_000);
const broken = new Error("the drive is gone");

/** Reads each body completely, and keeps it and the length that its headers announce. */
function service(responses: Response[] = [], options: ClientOptions = {}) {
  const sent: Uint8Array[] = [];
  const announced: (string | undefined)[] = [];
  const fetch: Fetch = async (_, { body, headers }) => {
    announced.push(headers["content-length"]);
    sent.push(new Uint8Array(await new Response(body).arrayBuffer()));
    return responses.shift() ?? json(ACCEPTED);
  };
  return { notetaker: new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch, ...options }), sent, announced };
}

const throws = (error: Error) => (): never => {
  throw error;
};
const throwing = throws(broken);

describe("an upload source that cannot be opened", () => {
  it.each<[string, () => unknown]>([
    ["whose stream() throws", () => ({ stream: throwing })],
    ["whose stream fails at its first read", () => ({ stream: () => new ReadableStream({ pull: throwing }) })],
    ["that is a stream, and fails at its first read", () => new ReadableStream({ pull: throwing })],
    [
      "whose size throws",
      () => ({
        stream: () => new Blob([bytes]).stream(),
        get size() {
          return throwing();
        },
      }),
    ],
    ["whose iterator cannot be made", () => ({ [Symbol.asyncIterator]: throwing })],
    ["whose iterator fails at once", () => ({ [Symbol.asyncIterator]: () => ({ next: throwing }) })],
  ])("causes a ConnectionError with the cause, and nothing is sent: a source %s", async (_, source) => {
    const { notetaker, sent } = service();
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source() as UploadSource, wav));
    expect(error).toMatchObject({ outcome: "not_sent", retryable: false });
    expect(error.cause).toBe(broken);
    expect(sent).toEqual([]);
  });

  it("causes a ConnectionError if stream() returns no stream", async () => {
    const call = service().notetaker.meetings.upload({ stream: () => undefined as never }, wav);
    expect((await rejectionOf(ConnectionError, call)).outcome).toBe("not_sent");
  });

  it("causes a ConnectionError with two attempts if it fails at the second attempt", async () => {
    const { notetaker, sent } = service([refusal(429, "rate_limited", { "retry-after": "0" })]);
    const stream = vi.fn(throwing).mockImplementationOnce((() => new Blob([bytes]).stream()) as never);
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload({ stream }, wav));
    // The first attempt was refused and the second was not sent, so nothing was done.
    expect(error).toMatchObject({ outcome: "rejected", attempts: 2, cause: { message: broken.message } });
    expect(sent).toHaveLength(1);
  });

  it.each<[string, ClientOptions["token"]]>([
    ["at once", TOKEN],
    ["before it is read", () => new Promise<string>((resolve) => setTimeout(resolve, 30, TOKEN))],
  ])("does not crash the process if it is a Node stream that fails %s", async (_, token) => {
    const { notetaker, sent } = service([], { token });
    const call = notetaker.meetings.upload(createReadStream("/nowhere/talk.wav"));
    const error = await rejectionOf(ConnectionError, call);
    expect(error).toMatchObject({ outcome: "not_sent", cause: { code: "ENOENT" } });
    expect(sent).toEqual([]);
  });

  it.each([
    ["at first", 0, "not_sent"],
    ["in the middle", 2, "unknown"],
  ])("causes a ConnectionError if it fails %s with the error of another call", async (_, chunks, outcome) => {
    const cause = new RateLimitedError({ outcome: "rejected", attempts: 5, retryAfterMs: 1 });
    const { notetaker, sent } = service();
    async function* source() {
      for (let chunk = 0; chunk < chunks; chunk += 1) yield bytes;
      throw cause;
    }
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source(), wav));
    expect(error).toMatchObject({ outcome, attempts: 1, cause });
    expect(cause).toMatchObject({ outcome: "rejected", attempts: 5 });
    expect(sent).toEqual([]);
  });

  it("passes on an InvalidArgumentError unchanged", async () => {
    const own = new InvalidArgumentError({
      operation: "fromPath",
      issues: [{ path: "path", message: "does not exist" }],
    });
    const { notetaker } = service();
    const call = notetaker.meetings.upload({ stream: throws(own) }, wav);
    expect(await rejectionOf(InvalidArgumentError, call)).toBe(own);
  });

  it("causes a TimeoutError if it gives nothing within timeoutMs, and nothing is sent", async () => {
    const { notetaker, sent } = service();
    const source = { stream: () => new ReadableStream<Uint8Array>() };
    const error = await rejectionOf(TimeoutError, notetaker.meetings.upload(source, wav, { timeoutMs: 20 }));
    expect(error.outcome).toBe("not_sent");
    expect(sent).toEqual([]);
  });
});

describe("an upload source that was read before", () => {
  const halves = () => [bytes.subarray(0, 400), bytes.subarray(400)];
  const webStream = () => new Blob([bytes]).stream();
  const nodeStream = () => Readable.from(Buffer.from(bytes), { objectMode: false });
  /** Takes the first `size` bytes of a Node stream, or all that are there. */
  async function peek(stream: Readable, size?: number) {
    await once(stream, "readable");
    return stream.read(size) as Buffer;
  }
  async function takeOne(source: AsyncIterable<unknown>) {
    for await (const _ of source) break;
  }
  async function readOne(stream: ReadableStream) {
    const reader = stream.getReader();
    await reader.read();
    reader.releaseLock();
  }
  async function having<T>(source: T, work: (source: T) => unknown): Promise<T> {
    await work(source);
    return source;
  }
  async function* generated() {
    yield* halves();
  }
  const file = new URL(import.meta.url);

  it.each<[string, () => unknown]>([
    ["a Node stream that has ended", () => having(nodeStream(), (stream) => stream.toArray())],
    ["a Node stream of which one chunk was taken", () => having(Readable.from(halves()), takeOne)],
    ["a Node stream that was destroyed", () => having(nodeStream(), (stream) => stream.destroy())],
    ["a Node stream that was peeked at", () => having(nodeStream(), (stream) => peek(stream))],
    ["a file stream that was peeked at", () => having(createReadStream(file), (stream) => peek(stream, 16))],
    ["a web stream whose first chunk is gone", () => having(webStream(), readOne)],
    ["a web stream that another reader has locked", () => having(webStream(), (stream) => stream.getReader())],
    ["a web stream that was cancelled", () => having(webStream(), (stream) => stream.cancel())],
    ["a Response whose body was read in part", () => having(new Response(bytes), ({ body }) => readOne(body!))],
    [
      "an object whose stream() returns such a stream",
      async () => {
        const used = webStream();
        await readOne(used);
        return { stream: () => used };
      },
    ],
    ["a generator that has ended", () => having(generated(), takeOne)],
  ])("is refused, and nothing is sent: %s", async (_, make) => {
    const { notetaker, sent } = service();
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.upload((await make()) as never, wav));
    expect(error).toMatchObject({ outcome: "not_sent", issues: [{ path: "source" }] });
    expect(sent).toEqual([]);
  });

  it.each<[string, () => Readable, number | undefined]>([
    ["a Node stream", nodeStream, undefined],
    ["a Node stream, in part", nodeStream, 16],
    ["a file stream", () => createReadStream(file), 16],
  ])("is whole if what was read was put back with unshift: %s", async (_, make, size) => {
    const { notetaker, sent } = service();
    const stream = make();
    stream.unshift(await peek(stream, size));
    await notetaker.meetings.upload(stream, wav);
    expect(sent).toEqual([new Uint8Array(await new Response(make() as never).arrayBuffer())]);
  });
});

describe("the size of an upload source", () => {
  const unsized = () => ({ stream: () => new Blob([bytes]).stream() });
  async function* generated() {
    yield bytes.subarray(0, 400);
    yield bytes.subarray(400);
  }
  const upload = (source: UploadSource, size: unknown) => {
    const { notetaker, announced } = service();
    const progress: unknown[] = [];
    const call = notetaker.meetings.upload(
      source,
      { ...wav, size: size as number },
      { onProgress: (one) => progress.push(one) },
    );
    return { call, announced, progress };
  };

  it.each<[string, () => UploadSource]>([
    ["an iterable", generated],
    ["a stream", () => new Blob([bytes]).stream()],
    ["an object with stream()", unsized],
    ["a Blob of this size", () => new Blob([bytes])],
  ])("is sent as the length and is the total of the progress for %s", async (_, source) => {
    const { call, announced, progress } = upload(source(), 1_000);
    expect(await call).toEqual(ACCEPTED);
    expect(announced).toEqual(["1000"]);
    expect(progress[0]).toEqual({ sentBytes: 0, totalBytes: 1_000 });
  });

  it.each([-1, 1.5, Number.NaN, "1000", null])("is refused if it is not a number of bytes: %s", async (size) => {
    const { call, announced } = upload(generated(), size);
    expect((await rejectionOf(InvalidArgumentError, call)).issues).toMatchObject([{ path: "size" }]);
    expect(announced).toEqual([]);
  });

  it.each([999, 1_001])(
    "is refused if the source states another size, and ends the upload if it has: %i",
    async (size) => {
      const { call, announced } = upload(new Blob([bytes]), size);
      expect((await rejectionOf(InvalidArgumentError, call)).issues).toMatchObject([{ path: "size" }]);
      expect(announced).toEqual([]);
      await rejectionOf(ConnectionError, upload(generated(), size).call);
    },
  );
});

it("a Blob without stream() is read by arrayBuffer(), as in React Native", async () => {
  const file = new File([bytes], "weekly.wav", { type: "audio/wav" });
  Object.defineProperty(file, "stream", { value: undefined });
  const { notetaker, sent } = service();
  expect(await notetaker.meetings.upload(file)).toEqual(ACCEPTED);
  expect(sent).toEqual([bytes]);
});
