/** Uploads: progress, failures, aborts and time limits. The source is closed in every case. */

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import {
  type ClientOptions,
  ConnectionError,
  Notetaker,
  type NotetakerError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  type UploadProgress,
  type UploadSource,
} from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { asFetch } from "../../support/as-fetch.js";
import { never } from "../../support/failures.js";
import { held } from "../../support/held.js";
import { httpServer } from "../../support/loopback.js";
import { BASE_URL, json, refusal, rejection, rejectionOf, TOKEN } from "../../support/recorder.js";
import { ACCEPTED, answerJson, bytesOfLength, uploadService } from "./upload-service.js";

const bytes = bytesOfLength(300_000);
const wav = { contentType: "audio/wav" };
const RATE_LIMITED = { error: { code: "rate_limited", message: "slow down" } };

const refusing = (count: number) => (response: ServerResponse, index: number) => {
  if (index < count) answerJson(response, 429, RATE_LIMITED, { "retry-after": "0" });
  else answerJson(response, 200, ACCEPTED);
};

/** A stream that records whether and why it was closed. */
function watched(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown) {
  const state = { pulls: 0, closed: false, reason: undefined as unknown };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls += 1;
        return pull(controller) as Promise<void>;
      },
      cancel(reason) {
        state.closed = true;
        state.reason = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, stream };
}

const clientOver = (fetch: (request: Request) => Promise<Response>, options: ClientOptions = {}) =>
  new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch: asFetch(fetch), ...options });

const waiting = () => {
  const source = watched((controller) => (source.state.pulls > 1 ? never() : controller.enqueue(new Uint8Array(10))));
  return source;
};

const endless = () => watched((controller) => controller.enqueue(new Uint8Array(10_000)));

describe("the progress of an upload", () => {
  async function progressOf(source: UploadSource, refusals = 0) {
    const { notetaker } = await uploadService(refusing(refusals));
    const progress: UploadProgress[] = [];
    await notetaker.meetings.upload(source, wav, { onProgress: (one) => progress.push(one) });
    return progress;
  }

  it.each([0, 2])("starts at 0, never decreases and ends at the total, also after %i refusals", async (refusals) => {
    const progress = await progressOf(new Blob([bytes]), refusals);
    const sent = progress.map(({ sentBytes }) => sentBytes);
    expect(sent[0]).toBe(0);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(new Set(sent).size).toBeGreaterThan(4);
    expect(sent.at(-1)).toBe(bytes.length);
    expect(new Set(progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([bytes.length]));
  });

  it.each([
    ["at the start", 0],
    ["during the upload", 1],
    ["at the end", bytes.length],
  ])("ends the upload with the unchanged error if onProgress throws %s", async (_, at) => {
    const { notetaker } = await uploadService();
    const thrown = new RangeError("no more paper");
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (sentBytes >= at) throw thrown;
    };
    for (const source of [bytes, new Blob([bytes]), new Blob([bytes]).stream()]) {
      expect(await rejection(notetaker.meetings.upload(source, wav, { onProgress }))).toBe(thrown);
    }
    const { stream, state } = endless();
    const repeatable = { stream: () => stream };
    expect(await rejection(notetaker.meetings.upload(repeatable, wav, { onProgress }))).toBe(thrown);
    expect(state.closed).toBe(true);
  });

  it("has a total only at the end if the source is a stream", async () => {
    const progress = await progressOf(new Blob([bytes]).stream());
    const end = { sentBytes: bytes.length, totalBytes: bytes.length };
    expect(progress.filter(({ totalBytes }) => totalBytes !== undefined)).toEqual([end]);
    expect(progress.at(-1)).toEqual(end);
  });
});

describe("after a 429", () => {
  it("a source that can be read again is sent again from its start", async () => {
    const { notetaker, arrivals } = await uploadService(refusing(2));
    let opened = 0;
    const source = {
      size: bytes.length,
      stream() {
        opened += 1;
        return new Blob([bytes]).stream();
      },
    };
    expect(await notetaker.meetings.upload(source, wav)).toEqual(ACCEPTED);
    expect(arrivals.map((arrival) => arrival.bytes.equals(bytes))).toEqual([true, true, true]);
    expect(opened).toBe(3);
  });

  it("the rest of the body is not sent and the source is closed if the 429 comes early", async () => {
    const { notetaker, arrivals } = await uploadService(undefined, { maxRetries: 0 }, (_, response) =>
      answerJson(response, 429, RATE_LIMITED),
    );
    const { stream, state } = endless();
    const error = await rejectionOf(RateLimitedError, notetaker.meetings.upload(stream, wav));
    expect(error).toMatchObject({ outcome: "rejected", attempts: 1 });
    expect(state.closed).toBe(true);
    expect(arrivals[0]?.whole).toBe(false);
  });

  it("a stream is not sent again, and the error says that nothing was done", async () => {
    const { notetaker, arrivals } = await uploadService(refusing(1));
    const call = notetaker.meetings.upload(new Blob([bytes]).stream(), wav);
    expect(await rejectionOf(RateLimitedError, call)).toMatchObject({
      outcome: "rejected",
      retryable: false,
      retryAfterMs: 0,
      attempts: 1,
    });
    expect(arrivals).toHaveLength(1);
  });
});

it.each<[string, typeof NotetakerError, NonNullable<Parameters<typeof uploadService>[0]>, isEarly?: boolean]>([
  ["a 5xx", ServerError, (response) => answerJson(response, 503, {})],
  ["the connection was lost before the response", ConnectionError, (response) => response.destroy()],
  ["the connection was lost during the body", ConnectionError, () => {}, true],
])("an upload that may have been accepted is not sent again: %s", async (_, type, answer, isEarly = false) => {
  const { notetaker, arrivals } = await uploadService(answer, {}, (request) => {
    if (isEarly) request.once("data", () => request.socket.destroy());
  });
  const { stream, state } = endless();
  const source = isEarly ? { stream: () => stream } : new Blob([bytes]);
  const error = await rejectionOf(type, notetaker.meetings.upload(source, wav));
  expect(error).toMatchObject({ outcome: "unknown", retryable: false, attempts: 1 });
  expect(arrivals).toHaveLength(1);
  expect(state.closed).toBe(isEarly);
});

describe("a source that fails", () => {
  it("a source with more bytes than its size is an error, even if the service would answer before them", async () => {
    const { notetaker, arrivals } = await uploadService();
    async function* longer() {
      yield bytes;
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield new Uint8Array();
      yield bytes;
    }
    const call = notetaker.meetings.upload(longer(), { ...wav, size: bytes.length });
    const { message } = await rejectionOf(ConnectionError, call);
    expect(message).toContain("its size is given as 300000");
    expect(arrivals.filter(({ whole }) => whole)).toEqual([]);
  });

  it("a failing source ends the upload, and the service receives an incomplete request", async () => {
    const { notetaker, arrivals } = await uploadService();
    let given = 0;
    const { stream, state } = watched((controller) => {
      if (given++ > 3) throw new Error("disk on fire");
      controller.enqueue(new Uint8Array(10_000));
    });
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(stream, wav));
    expect(error.message).toContain("the source failed: disk on fire");
    expect(error).toMatchObject({ outcome: "unknown", retryable: false });
    expect(state.pulls).toBe(5);
    expect(arrivals.every(({ whole }) => !whole)).toBe(true);
  });

  it("a failing source is reported even if the runtime completes the request and gets a response", async () => {
    // Workers send an incomplete body as if it were complete.
    const notetaker = clientOver(async (request) => {
      await new Response(request.body).arrayBuffer().catch(() => {});
      return json(ACCEPTED);
    });
    const chunks = [new Uint8Array(10)];
    const { stream } = watched((controller) => {
      const chunk = chunks.pop();
      if (chunk === undefined) throw new Error("disk on fire");
      controller.enqueue(chunk);
    });
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(stream, wav));
    expect(error).toMatchObject({ outcome: "unknown", cause: expect.objectContaining({ message: "disk on fire" }) });
  });

  it.each([
    ["shorter", bytes.length + 1],
    ["longer", bytes.length - 1],
  ])("a source that is %s than its size is never sent as a complete body", async (_, size) => {
    const { notetaker, arrivals } = await uploadService();
    const source = { stream: () => new Blob([bytes]).stream(), size };
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source, wav));
    expect(String(error.cause)).toMatch(/the source has \d+ bytes( or more)?, but its size is given as \d+|length/);
    expect(error.outcome).toBe("unknown");
    expect(arrivals.every(({ whole }) => !whole)).toBe(true);
  });

  it.each([["text"], [{}], [[1, 2]]])("a source whose chunks are not bytes is refused: %j", async (item) => {
    const { notetaker } = await uploadService();
    const source = Readable.from([item]) as AsyncIterable<Uint8Array>;
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source, wav));
    expect(error.message).toContain("expected bytes");
  });
});

it("a request that a Node server has received is drained after a refusal, and gets its response", async () => {
  const { notetaker } = await uploadService(undefined, {}, (_request, response) =>
    answerJson(response, 403, { error: { code: "forbidden", message: "no" } }),
  );
  const server = await httpServer(async (request, response) => {
    const { name } = (await rejection(notetaker.meetings.upload(request, wav))) as Error;
    response.writeHead(418).end(name);
  });
  const body = new Uint8Array(10_000_000);
  const page = connect(Number(new URL(server).port), "127.0.0.1");
  const answer = once(page, "data");
  page.write(`PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`);
  await new Promise((resolve, reject) => page.on("error", reject).write(body, resolve));
  const [response] = await answer;
  expect(String(response)).toMatch(/^HTTP\/1.1 418 /);
  expect(String(response)).toContain("ForbiddenError");
  page.destroy();
});

describe("an abort", () => {
  const reason = new Error("the user has left");

  /** Aborts an upload when more than 100,000 bytes are sent, or else after 20 ms. */
  async function abort({ meetings }: Notetaker, source: UploadSource, isSending: boolean) {
    const controller = new AbortController();
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (isSending && sentBytes > 100_000) controller.abort(reason);
    };
    const failed = rejection(meetings.upload(source, wav, { signal: controller.signal, onProgress }));
    if (!isSending) setTimeout(() => controller.abort(reason), 20);
    expect(await failed).toBe(reason);
  }

  it("while the body is sent rejects at once with its reason and closes the source", async () => {
    const { notetaker, arrivals } = await uploadService();
    const { stream, state } = endless();
    await abort(notetaker, stream, true);
    expect(state).toMatchObject({ closed: true, reason });
    const { pulls } = state;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(state.pulls).toBe(pulls);
    expect(arrivals.every(({ whole }) => !whole)).toBe(true);
  });

  it("closes a source of each kind, also one that is waiting for data", async () => {
    const { notetaker } = await uploadService();
    const { stream, state } = watched(() => never());
    await abort(notetaker, stream, false);
    expect(state).toMatchObject({ closed: true, reason });

    const nodeStream = new Readable({ read() {} });
    nodeStream.push(new Uint8Array(10));
    await abort(notetaker, nodeStream, false);
    expect(nodeStream.destroyed).toBe(true);

    const ended = held();
    async function* generate() {
      try {
        for (;;) yield new Uint8Array(10_000);
      } finally {
        ended.release();
      }
    }
    await abort(notetaker, generate(), true);
    await ended.promise;
  });

  it("before the call closes the source and sends nothing", async () => {
    const { notetaker, arrivals } = await uploadService();
    const { stream, state } = endless();
    expect(await rejection(notetaker.meetings.upload(stream, wav, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(state).toMatchObject({ closed: true, reason, pulls: 0 });
    expect(arrivals).toEqual([]);
  });

  it("at any moment before the body is opened closes the source", async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const controller = new AbortController();
      const abortSoon = async () => {
        for (let step = 0; step < steps; step += 1) await undefined;
        controller.abort(reason);
      };
      const token = async () => {
        void abortSoon();
        return TOKEN;
      };
      const notetaker = clientOver(() => never(), { token });
      const { stream, state } = endless();
      expect(await rejection(notetaker.meetings.upload(stream, wav, { signal: controller.signal }))).toBe(reason);
      expect(state.closed, `after ${steps} steps`).toBe(true);
    }
  });

  it.each([
    ["while the body is sent", endless, true],
    ["while the source is waiting for data", waiting, false],
  ])("%s also ends a call whose fetch ignores signals", async (_, open, isSending) => {
    const { stream, state } = open();
    const received = vi.fn();
    const notetaker = clientOver(async (request) => {
      await new Response(request.body).arrayBuffer().then(() => received("the whole body"), received);
      return never();
    });
    await abort(notetaker, stream, isSending);
    await vi.waitFor(() => expect(received.mock.calls).toEqual([[reason]]), 60_000);
    expect(state.closed).toBe(true);
  });
});

describe("timeoutMs", () => {
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Reads a chunk of the body every `everyMs`, and responds `answerMs` after the last chunk. */
  const slow = (everyMs: number, answerMs: number) => async (request: Request) => {
    const reader = request.body!.getReader();
    do await sleep(everyMs);
    while (!(await reader.read()).done);
    await sleep(answerMs);
    return json(ACCEPTED);
  };

  const timedOut = (fields: object) => ({ name: "TimeoutError", ...fields });
  it.each<[string, (request: Request) => Promise<Response>, expected: object, deadlineMs?: number]>([
    ["does not limit an upload that makes progress", slow(300, 300), ACCEPTED],
    [
      "ends an upload without progress",
      slow(1_100, 0),
      timedOut({ outcome: "unknown", retryable: false, attempts: 1, timeoutMs: 1_000 }),
    ],
    ["ends an upload whose body is never read", () => never(), timedOut({ timeoutMs: 1_000 })],
    ["limits the time until the response after everything is sent", slow(10, 1_100), timedOut({})],
    ["and deadlineMs limit the whole upload", slow(300, 300), timedOut({ timeoutMs: 2_000 }), 2_000],
  ])("timeoutMs %s", async (_, fetch, expected, deadlineMs) => {
    vi.useFakeTimers();
    const { meetings } = clientOver(fetch, { timeoutMs: 1_000, deadlineMs });
    const ended = meetings.upload(new Uint8Array(640 * 1024), wav).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await ended).toMatchObject(expected);
  });

  it.each([
    ["accepts the upload", () => json(ACCEPTED)],
    ["refuses the upload", () => refusal(400, "bad_request")],
  ])("no timer is left if the service %s before the source has ended", async (_, answer) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const source = watched((controller) => {
      if (source.state.pulls === 1) controller.enqueue(bytes);
      // This source never ends.
      else return never();
    });
    const notetaker = clientOver(async (request) => {
      const reader = request.body!.getReader();
      for (let read = 0; read < bytes.length; ) read += (await reader.read()).value!.byteLength;
      reader.read().catch(() => {});
      return answer();
    });
    await Promise.allSettled([notetaker.meetings.upload(source.stream, wav)]);
    // The source needs a few turns of the event loop to end.
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.state.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a timeout closes the source", async () => {
    vi.useFakeTimers();
    const notetaker = clientOver(() => never(), { timeoutMs: 1_000 });
    const { stream, state } = endless();
    const ended = rejectionOf(TimeoutError, notetaker.meetings.upload(stream, wav));
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(state.closed).toBe(true);
  });
});

it("an upload does not need AbortSignal.any, which the edge runtime of Next.js lacks", async () => {
  const { notetaker, arrivals } = await uploadService();
  vi.spyOn(AbortSignal, "any").mockImplementation(() => expect.fail("AbortSignal.any"));
  await notetaker.meetings.upload(new Blob([bytes]), wav);
  expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
});
