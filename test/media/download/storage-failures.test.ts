/** A storage that fails: the errors of a download, when it is retried, and when it gives up. */
import { Readable } from "node:stream";
import { ConnectionError, type DownloadOptions, type DownloadProgress, TimeoutError } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { asFetch } from "../../support/as-fetch.js";
import { never } from "../../support/failures.js";
import { BASE_URL, json, rejection, rejectionOf } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { gathered, MEETING, storage, type Turn } from "./storage.js";

const bytes = bytesOfLength(100);
const recording = { bytes, etag: '"one"' };
const ORIGIN = "https://storage.example.net";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const download = async ({ notetaker }: Pick<ReturnType<typeof storage>, "notetaker">, options: DownloadOptions = {}) =>
  gathered((await notetaker.meetings.downloadRecording(MEETING, options)).stream);

function answering(answer: (request: Request, index: number) => Promise<Response>) {
  let index = 0;
  const link = { meeting_id: MEETING, recording_url: `${ORIGIN}/r?signature=s3cret` };
  const fetch = (request: Request) =>
    request.url.startsWith(BASE_URL) ? Promise.resolve(json(link)) : answer(request, index++);
  return { ...storage(recording, [], { fetch: asFetch(fetch) }), asked: () => index };
}

describe("the error of a download", () => {
  const turning = (turn: Turn) => () => storage(recording, [turn]);
  const responding = (response: () => unknown) => () => answering(async () => response() as Response);
  const PAGES = [
    ...["text/html; charset=utf-8", "TEXT/HTML", "text/html, text/html", "application/xml", "text/xml"],
    ...["application/xhtml+xml", "application/json", "application/problem+json ; charset=utf-8"],
  ];

  it.each<[string, () => Pick<ReturnType<typeof storage>, "notetaker">, problem: string]>([
    ["responds with 416 to the first request", turning({ status: 416 }), "answered 416"],
    ["responds with 500", turning({ status: 500 }), "answered 500"],
    ["responds with 201, without a file", responding(() => new Response(null, { status: 201 })), "answered 201"],
    ["responds with 304, without a file", responding(() => new Response(null, { status: 304 })), "answered 304"],
    ["ends the body too early", turning({ endAfter: 10 }), "10 of 100 bytes"],
    ["sends too much", turning({ headers: { "content-length": "3" } }), "more than the 3 bytes"],
    [
      "sends text, as a Node stream may",
      responding(() => ({ status: 200, headers: new Headers(), body: Readable.from(["text"]) })),
      "not bytes",
    ],
    ...PAGES.map((type): [string, () => ReturnType<typeof storage>, string] => [
      `sends a page of the type ${type}`,
      turning({ headers: { "content-type": type } }),
      "a page, not a file",
    ]),
  ])("says what is wrong if the storage %s", async (_, service, problem) => {
    const error = await rejectionOf(ConnectionError, download(service(), { maxRetries: 0 }));
    expect(error.message).toMatch(new RegExp(`^GET the recording of ${MEETING}: .*${problem}`));
    expect(error).toMatchObject({ retryable: true, attempts: 1, request: { method: "GET", url: ORIGIN } });
  });

  it("names the recording but not the link if the connection was lost", async () => {
    const lost = new TypeError("fetch failed", {
      cause: Object.assign(new Error(`read ECONNRESET ${ORIGIN}/r?signature=s3cret`), { code: "ECONNRESET" }),
    });
    const service = answering(() => Promise.reject(lost));
    const error = await rejectionOf(ConnectionError, download(service, { maxRetries: 0 }));
    expect(error.message).toContain(`GET the recording of ${MEETING} failed: `);
    expect(error).toMatchObject({ request: { method: "GET", url: ORIGIN }, attempts: 1, retryable: true });
    const { cause } = error;
    expect(cause).toBeInstanceOf(TypeError);
    expect([String(error), String((cause as Error).cause), JSON.stringify(error)].join()).not.toContain("s3cret");
  });
});

describe("the times of a download", () => {
  beforeEach(() => void vi.useFakeTimers());

  it.each([
    ["that stalls", () => storage(recording, [{ stallAfter: 10 }])],
    ["that never responds", () => answering(() => never())],
  ])("timeoutMs ends an attempt of a storage %s with an error that names the limit", async (_, service) => {
    const failed = rejectionOf(TimeoutError, download(service(), { timeoutMs: 1_000, maxRetries: 0 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failed).toMatchObject({ request: { method: "GET", url: ORIGIN }, timeoutMs: 1_000, attempts: 1 });
  });

  it("timeoutMs starts again with each chunk", async () => {
    const slowly = async () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 900));
          if (sent < 5) controller.enqueue(Uint8Array.of(sent++));
          else controller.close();
        },
      });
      return new Response(body);
    };
    const all = download(answering(slowly), { timeoutMs: 1_000, maxRetries: 0 });
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await all).toEqual(Uint8Array.of(0, 1, 2, 3, 4));
  });

  it("deadlineMs ends the whole download with an error that names the limit and the attempts", async () => {
    const service = storage(recording, [{ dropAfter: 10 }, { stallAfter: 10 }]);
    const failed = rejectionOf(TimeoutError, download(service, { deadlineMs: 5_000, timeoutMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({
      message: expect.stringContaining("(deadlineMs)"),
      timeoutMs: 5_000,
      request: { method: "GET", url: ORIGIN },
      attempts: 2,
    });
  });

  it("deadlineMs ends the download even if there is no link yet", async () => {
    const { notetaker } = storage(recording, [], { fetch: () => never() });
    const failed = rejectionOf(TimeoutError, download({ notetaker }, { deadlineMs: 5_000, timeoutMs: 60_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({ timeoutMs: 5_000, request: { method: "GET", url: "" }, attempts: 0 });
  });

  it("the pause between two attempts grows, and is short again after a byte has arrived", async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const unreachable = { unreachable: true };
    const service = storage(recording, [unreachable, unreachable, { dropAfter: 10 }, unreachable]);
    const all = download(service, { maxRetries: 2 });
    const counts: number[] = [];
    for (const ms of [0, 499, 1, 999, 1, 499, 1, 999, 1]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(service.requests.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(await all).toEqual(bytes);
  });

  it("the pause between two attempts is at most maxRetryDelayMs", async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const service = storage(recording, [{ unreachable: true }], { maxRetryDelayMs: 100 });
    const all = download(service);
    await vi.advanceTimersByTimeAsync(99);
    expect(service.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(service.requests).toHaveLength(2);
    expect(await all).toEqual(bytes);
  });

  it.each([
    [499, false],
    [500, false],
    [501, true],
  ])("a pause of 500 ms starts only if it ends before deadlineMs: %i ms", async (deadlineMs, starts) => {
    vi.mocked(Math.random).mockReturnValue(1);
    const service = storage(recording, [{ unreachable: true }]);
    const all = download(service, { deadlineMs }).catch((error: Error) => error.name);
    await vi.advanceTimersByTimeAsync(500);
    expect(await all).toEqual(starts ? bytes : "ConnectionError");
    expect(service.requests).toHaveLength(starts ? 2 : 1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the body of a storage response", () => {
  it("makes no progress if its chunks are empty, so the download gives up", async () => {
    const service = answering(async () => {
      let pulls = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulls += 1;
          if (pulls < 3) controller.enqueue(new Uint8Array(0));
          else controller.error(new Error("lost"));
        },
      });
      return new Response(body);
    });
    const progress: DownloadProgress[] = [];
    const onProgress = (one: DownloadProgress) => progress.push(one);
    await rejectionOf(ConnectionError, download(service, { maxRetries: 2, onProgress }));
    expect(service.asked()).toBe(3);
    expect(progress).toEqual([]);
  });

  it("is requested again if it breaks off before its first byte, even if the file is empty", async () => {
    const service = storage({ bytes: new Uint8Array(), etag: '"0"' }, [{ dropAfter: 0 }]);
    expect(await download(service)).toEqual(new Uint8Array());
    expect(service.requests).toHaveLength(2);
  });

  it("is cancelled if it comes after an abort", async () => {
    const [controller, cancel] = [new AbortController(), vi.fn()];
    const answers: ((response: Response) => void)[] = [];
    const service = answering(() => new Promise((resolve) => void answers.push(resolve)));
    const failed = rejection(download(service, { signal: controller.signal }));
    await vi.waitFor(() => expect(service.asked()).toBe(1), 60_000);
    controller.abort("gone");
    expect(await failed).toBe("gone");
    answers[0]?.(new Response(new ReadableStream({ cancel })));
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), 60_000);
  });

  it("is requested again if it is a page: the bytes received before stay, and none of the page is delivered", async () => {
    const page = { headers: { "content-type": "text/html" }, ignoreRange: true };
    const service = storage(recording, [page, { dropAfter: 10 }, page]);
    expect(await download(service)).toEqual(bytes);
    expect(service.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      undefined,
      "bytes=10-",
      "bytes=10-",
    ]);
  });

  it("is cancelled if it is not needed, whatever the status", async () => {
    const cancel = vi.fn();
    const service = answering(async () => new Response(new ReadableStream({ cancel }), { status: 403 }));
    await rejection(download(service, { maxRetries: 1 }));
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(2), 60_000);
  });
});

it("the download and its progress have no size if the storage announces no length", async () => {
  const progress: DownloadProgress[] = [];
  const { notetaker } = storage(recording, [{ headers: { "content-length": undefined } }]);
  const onProgress = (one: DownloadProgress) => progress.push(one);
  const { stream, size } = await notetaker.meetings.downloadRecording(MEETING, { onProgress });
  expect(size).toBeUndefined();
  expect(await gathered(stream)).toEqual(bytes);
  expect(progress.at(-1)).toEqual({ receivedBytes: 100, totalBytes: undefined });
});
