/** How an upload passes its body to `fetch`, and what progress it reports: no network is used. */
import { Readable } from "node:stream";
import { ConnectionError, Notetaker, type RequestOptions, type UploadProgress, type UploadSource } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../../../src/upload-progress.js";
import { BrowserRequest } from "../../support/browser-request.js";
import { never } from "../../support/failures.js";
import { BASE_URL, json, refusal, rejection, rejectionOf, TOKEN } from "../../support/recorder.js";
import { ACCEPTED, bytesOfLength } from "./upload-service.js";

const wav = { contentType: "audio/wav" };
const CHUNK = 64 * 1024;
const bytes = bytesOfLength(2 * CHUNK + 100);

type Init = RequestInit & UploadProgressInit & { headers: Record<string, string> };
type Sender = (init: Init) => Promise<Response>;

/** A client whose `fetch` is `send`, and the progress of its uploads. */
function over(send: Sender, options = {}) {
  const progress: UploadProgress[] = [];
  const fetch = (_: string, init: RequestInit) => send(init as Init);
  const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch, maxRetries: 0, ...options });
  const upload = (source: unknown, callOptions = {}) =>
    notetaker.meetings.upload(source as UploadSource, wav, { onProgress: (one) => progress.push(one), ...callOptions });
  return { upload, progress };
}

const readAll = async (body: Init["body"]) => Buffer.from(await new Response(body).arrayBuffer());
const accepting: Sender = async ({ body }) => {
  await readAll(body);
  return json(ACCEPTED);
};
const sentBytes = (progress: UploadProgress[]) => [...new Set(progress.map((one) => one.sentBytes))];
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a streamed upload body", () => {
  it("counts a chunk as sent when fetch requests the next one", async () => {
    const seen: number[][] = [];
    const { upload, progress } = over(async ({ body }) => {
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        seen.push([value?.byteLength ?? 0, progress.at(-1)?.sentBytes ?? -1]);
        if (done) return json(ACCEPTED);
      }
    });
    await upload(new Blob([bytes]).stream());
    // Whatever the sizes of the chunks, the reported progress is the number of bytes before the current chunk.
    let before = 0;
    for (const [length = 0, reported] of seen) {
      expect(reported).toBe(before);
      before += length;
    }
    expect(before).toBe(bytes.length);
    expect(progress.at(-1)).toEqual({ sentBytes: bytes.length, totalBytes: bytes.length });
  });

  it.each([
    [[1], [1]],
    [[CHUNK], [CHUNK]],
    [[CHUNK + 1], [CHUNK, 1]],
    [
      [2 * CHUNK, 5],
      [CHUNK, CHUNK, 5],
    ],
    [
      [3, 0, 4],
      [3, 4],
    ],
    [[0], []],
  ])("has no chunk of more than 64 KiB: pieces of %j bytes are sent in chunks of %j", async (lengths, expected) => {
    const pieces = lengths.map(bytesOfLength);
    // A piece may be a view of any kind, or a buffer.
    const views = pieces.map((piece, index) => (index % 2 === 0 ? new DataView(piece.buffer) : piece.buffer));
    const chunks: Uint8Array[] = [];
    const { upload } = over(async ({ body }) => {
      for await (const chunk of body as ReadableStream<Uint8Array>) chunks.push(chunk);
      return json(ACCEPTED);
    });
    await upload(Readable.from(views));
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual(expected);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  });

  it("reports no more progress after the service has responded", async () => {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const { upload, progress } = over(async ({ body }) => {
      reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      return refusal(400, "bad_request");
    });
    await rejection(upload(bytes));
    await reader?.read().catch(() => {});
    expect(sentBytes(progress)).toEqual([0]);
  });

  it("is not sent if the call is aborted while the source is opened", async () => {
    const controller = new AbortController();
    const send = vi.fn(accepting);
    const { upload } = over(send);
    const source = {
      stream() {
        controller.abort("gone");
        return new Blob([bytes]).stream();
      },
    };
    expect(await rejection(upload(source, { signal: controller.signal }))).toBe("gone");
    expect(send).not.toHaveBeenCalled();
  });

  it("uses a FixedLengthStream to send its length in runtimes that have one, such as workers", async () => {
    const sizes: number[] = [];
    class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
      constructor(size: number) {
        super();
        sizes.push(size);
      }
    }
    vi.stubGlobal("FixedLengthStream", FixedLengthStream);
    const arrived: Buffer[] = [];
    const { upload } = over(async ({ body }) => {
      arrived.push(await readAll(body));
      return json(ACCEPTED);
    });
    await upload(new Blob([bytes]));
    expect(sizes).toEqual([bytes.length]);
    await upload(new Blob([bytes]).stream());
    expect(sizes).toHaveLength(1);
    expect(arrived.every((one) => one.equals(bytes))).toBe(true);
  });
});

describe("an upload through Node's own fetch", () => {
  beforeEach(() => void vi.useFakeTimers());

  /** The length and the time, in milliseconds, of each chunk. */
  function timed(
    { size = bytes.length, isOwn = false, ...options } = {} as { size?: number; isOwn?: boolean } & RequestOptions,
  ) {
    const chunks: [length: number, atMs: number][] = [];
    const begunAt = Date.now();
    const fetch: Sender = async ({ body }) => {
      for await (const chunk of body as ReadableStream<Uint8Array>)
        chunks.push([chunk.byteLength, Date.now() - begunAt]);
      return json(ACCEPTED);
    };
    const send = (_: string, init: RequestInit) => fetch(init as Init);
    if (!isOwn) vi.stubGlobal("fetch", send);
    const own = isOwn ? { fetch: send } : {};
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, maxRetries: 0, ...own });
    return { chunks, call: notetaker.meetings.upload(bytesOfLength(size), wav, options) };
  }

  it("sends the second chunk 25 ms after the first, so that an early response can arrive, which is no time without progress", async () => {
    const { chunks, call } = timed({ timeoutMs: 10 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual(ACCEPTED);
    expect(chunks).toEqual([
      [CHUNK, 0],
      [CHUNK, 25],
      [100, 26],
    ]);
  });

  it("sends a chunk per millisecond until 2 MiB are sent, and then lets the event loop turn twice per chunk", async () => {
    const { chunks, call } = timed({ size: 35 * CHUNK });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual(ACCEPTED);
    // For the fake clock, each turn takes a millisecond.
    expect(chunks.slice(30).map(([, atMs]) => atMs)).toEqual([54, 55, 56, 58, 60]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sends without a pause through the caller's own fetch", async () => {
    // The clock stands still: an upload that waits for a timer would not end.
    const { chunks, call } = timed({ size: 16 * CHUNK, isOwn: true });
    expect(await call).toEqual(ACCEPTED);
    expect(chunks.map(([, atMs]) => atMs)).toEqual(Array(16).fill(0));
  });

  it("leaves no timer if the call ends during that pause", async () => {
    const controller = new AbortController();
    const failed = rejection(timed({ signal: controller.signal }).call);
    await vi.advanceTimersByTimeAsync(7);
    controller.abort("gone");
    expect(await failed).toBe("gone");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an upload body that cannot be streamed", () => {
  /** Removes the header by which the library recognises that requests can be streamed, as a browser does. */
  beforeEach(() => void vi.stubGlobal("Request", BrowserRequest));

  it.each([
    ["bytes", bytes],
    ["a Blob", new Blob([bytes])],
  ])(
    "is the source itself if it is in memory, with the progress that fetch reports until the response: %s",
    async (...row) => {
      const [, source] = row;
      const inits: Init[] = [];
      const { upload, progress } = over(async (init) => {
        inits.push(init);
        for (const sent of [10, 5, 200]) init[UPLOAD_PROGRESS]?.(sent);
        return refusal(400, "bad_request");
      });
      await rejection(upload(source));
      inits[0]?.[UPLOAD_PROGRESS]?.(500);
      expect(sentBytes(progress)).toEqual([0, 10, 200]);
      expect(inits[0]?.body instanceof Blob).toBe(source instanceof Blob);
      expect((await readAll(inits[0]?.body)).equals(bytes)).toBe(true);
    },
  );

  it("has the length of the bytes that were collected", async () => {
    const lengths: unknown[] = [];
    const { upload, progress } = over(async ({ headers }) => {
      lengths.push(headers["content-length"]);
      return json(ACCEPTED);
    });
    await upload({ stream: () => new Blob([bytes]).stream() });
    expect(lengths).toEqual([String(bytes.length)]);
    expect(progress).toEqual([
      { sentBytes: 0, totalBytes: undefined },
      { sentBytes: bytes.length, totalBytes: bytes.length },
    ]);
  });

  it("is not sent if its source fails, has another size, or does not consist of bytes", async () => {
    const send = vi.fn(accepting);
    const { upload } = over(send);
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (controller.desiredSize === 1) controller.enqueue(new Uint8Array(10));
        throw new Error("the drive is gone");
      },
    });
    const sources: [unknown, string][] = [
      [failing, "the drive is gone"],
      [{ stream: () => new Blob([bytes]).stream(), size: 5 }, "but its size is given as 5"],
      [{ stream: () => ({ [Symbol.asyncIterator]: () => ["text"].values() }) }, "expected bytes, received a string"],
    ];
    for (const [source, problem] of sources) {
      const error = await rejectionOf(ConnectionError, upload(source));
      expect(error.message).toContain(problem);
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 1 });
    }
    expect(send).not.toHaveBeenCalled();
  });

  it("is not sent if the call is aborted while its stream is collected, and the stream is closed", async () => {
    const [send, cancel] = [vi.fn(accepting), vi.fn()];
    const { upload } = over(send);
    const controller = new AbortController();
    const call = upload(new ReadableStream({ cancel }), { signal: controller.signal });
    setTimeout(() => controller.abort("gone"), 10);
    expect(await rejection(call)).toBe("gone");
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(send).not.toHaveBeenCalled();
  });

  it("times out only after fetch has stopped reporting progress", async () => {
    vi.useFakeTimers();
    const { upload } = over(
      async (init) => {
        for (const sent of [10, 20, 30]) {
          await sleep(900);
          init[UPLOAD_PROGRESS]?.(sent);
        }
        return never();
      },
      { timeoutMs: 1_000 },
    );
    const failed = vi.fn();
    upload(bytes).catch(failed);
    await vi.advanceTimersByTimeAsync(3_699);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed.mock.calls).toMatchObject([[{ name: "TimeoutError", timeoutMs: 1_000 }]]);
  });

  it("ends the call with the unchanged error if onProgress throws", async () => {
    const thrown = new RangeError("no more paper");
    const { upload } = over(async (init) => {
      init[UPLOAD_PROGRESS]?.(10);
      return json(ACCEPTED);
    });
    const onProgress = ({ sentBytes: sent }: UploadProgress) => {
      if (sent === 10) throw thrown;
    };
    expect(await rejection(upload(bytes, { onProgress }))).toBe(thrown);
  });
});

describe("the media type of an upload", () => {
  async function typeOf(source: unknown) {
    const types: unknown[] = [];
    const send = async (_: string, init: RequestInit) => {
      types.push((init as Init).headers["content-type"]);
      return accepting(init as Init);
    };
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch: send });
    await notetaker.meetings.upload(source as UploadSource);
    return types[0];
  }
  async function* generated() {
    yield bytes;
  }
  const stream = () => new Blob(["x"]).stream();
  const response = (url: string, headers = {}) =>
    Object.defineProperty(new Response("x", { headers: { "content-type": "", ...headers } }), "url", { value: url });

  it.each<[string, () => unknown, string]>([
    ["its type", () => ({ stream, type: "audio/flac", name: "a.mp3" }), "audio/flac"],
    ["its name", () => ({ stream, type: "", name: "a.mp3" }), "audio/mpeg"],
    ["its name, not its path", () => ({ stream, name: "a.mp3", path: "a.wav" }), "audio/mpeg"],
    ["its path, as for a Node stream of a file", () => ({ stream, name: "", path: "/tmp/a.wav" }), "audio/wav"],
    ["its name if its type is not a string", () => ({ stream, type: 5, name: "a.mp3" }), "audio/mpeg"],
    ["the path of its URL, as for a Response", () => response("https://example.com/a.mp4?x=b.mp3#c.wav"), "video/mp4"],
    ["its Content-Type header", () => response("https://a.example/a", { "content-type": "audio/aac" }), "audio/aac"],
    ["its type, as for an iterable", () => Object.assign(generated(), { type: "audio/ogg" }), "audio/ogg"],
    ["its name, as for an iterable", () => Object.assign(generated(), { name: "a.ogv" }), "video/ogg"],
  ])("comes from the source: %s", async (_, source, expected) => {
    expect(await typeOf(source())).toBe(expected);
  });
});
