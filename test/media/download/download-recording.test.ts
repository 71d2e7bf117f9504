/**
 * A download resumes at the byte that it reached, with a fresh link. It never delivers a byte twice or a byte of
 * another file.
 */

import { getEventListeners } from "node:events";
import type { RequestListener } from "node:http";
import {
  type ClientOptions,
  ConnectionError,
  type DownloadProgress,
  type Fetch,
  InvalidArgumentError,
  type NotetakerError,
  ServerError,
  UnauthorizedError,
} from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { httpServer } from "../../support/loopback.js";
import { BASE_URL, json, refusal, rejection, rejectionOf, settingHeader, TOKEN } from "../../support/recorder.js";
import { answerJson, bytesOfLength } from "../upload/upload-service.js";
import { gathered, MEETING, storage, type Turn } from "./storage.js";

const bytes = bytesOfLength(1_000);
const recording = { bytes, etag: '"one"' };

// Pauses between attempts end at once.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const download = async ({ notetaker }: ReturnType<typeof storage>, options = {}) =>
  gathered((await notetaker.meetings.downloadRecording(MEETING, options)).stream);

/** A client of a real server, which returns links to itself; `answer` responds as its storage. */
async function onLoopback(answer: RequestListener, options: ClientOptions = {}) {
  const url = await httpServer((request, response) => {
    if (!request.url?.endsWith("/recording")) answer(request, response);
    else answerJson(response, 200, { meeting_id: MEETING, recording_url: `${url}/file` });
  });
  return storage(recording, [], { baseUrl: `${url}/v1`, fetch: undefined, ...options }).notetaker;
}

const ranges = ({ requests }: ReturnType<typeof storage>) => requests.map(({ headers }) => headers.range);

describe("downloadRecording", () => {
  it("returns a recording as a stream, with its size and media type", async () => {
    const { notetaker } = storage(recording);
    const { stream, size, contentType } = await notetaker.meetings.downloadRecording(MEETING);
    expect({ size, contentType }).toEqual({ size: 1_000, contentType: "video/mp4" });
    expect(await gathered(stream)).toEqual(bytes);
  });

  it("reports the received bytes to onProgress, up to the total", async () => {
    const progress: DownloadProgress[] = [];
    const service = storage(recording, [{ dropAfter: 300 }]);
    await download(service, { onProgress: (one: DownloadProgress) => progress.push(one) });
    const received = progress.map(({ receivedBytes }) => receivedBytes);
    expect(received).toEqual([...new Set(received)].sort((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ receivedBytes: 1_000, totalBytes: 1_000 });
  });

  it.each([
    ["an invalid meeting id", {}, "nonsense"],
    ["null as options", null],
    ["an invalid signal", { signal: "stop" }],
    ["an onProgress that is not a function", { onProgress: true }],
    ["a negative limit", { timeoutMs: -1 }],
    ["an unknown option", { onProgres() {} }],
  ])("refuses %s before it sends anything", async (_, options, meetingId = MEETING) => {
    const { notetaker, toService } = storage(recording);
    await rejectionOf(InvalidArgumentError, notetaker.meetings.downloadRecording(meetingId, options as never));
    expect(toService).toEqual([]);
  });

  it.each([
    ["an error", new Error("the disk is full")],
    ["an error that looks like a lost connection", new ConnectionError({ message: "mine", retryable: true })],
  ])("ends with the unchanged error if onProgress throws %s", async (_, thrown) => {
    const service = storage(recording);
    const onProgress = () => {
      throw thrown;
    };
    expect(await rejection(download(service, { onProgress }))).toBe(thrown);
    expect(service.requests).toHaveLength(1);
  });
});

describe("the storage's host", () => {
  it("the storage gets the link, but no token, headers or middleware of the client", async () => {
    const service = storage(recording, [{ dropAfter: 10 }], {
      headers: { "x-tenant": "t" },
      middleware: [settingHeader("x-traced", "yes")],
    });
    await download(service, { headers: { "x-call": "c" } });
    expect(service.requests).toEqual([
      { url: "https://storage.example.net/r/1?signature=s3cret1", headers: { "accept-encoding": "identity" } },
      {
        url: "https://storage.example.net/r/2?signature=s3cret2",
        headers: { "accept-encoding": "identity", range: "bytes=10-" },
      },
    ]);
    for (const request of service.toService) {
      expect(request.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
      expect(request.headers.get("x-traced")).toBe("yes");
      expect(request.headers.get("x-call")).toBe("c");
    }
  });

  it("the storage is reached through the proxy of fetchOptions, whose other members are for the service", async () => {
    const inits: object[] = [];
    const fetch: Fetch = async (url, init) => {
      inits.push(init);
      const link = { meeting_id: MEETING, recording_url: "https://storage.example.net/r" };
      return url.startsWith(BASE_URL) ? json(link) : new Response(bytes);
    };
    const forService = { credentials: "include", next: { revalidate: 5 }, cache: "force-cache" };
    const service = storage(recording, [], { fetch, fetchOptions: { dispatcher: "proxy", ...forService } });
    await download(service, { fetchOptions: { dispatcher: "proxy of the call" } });
    const [toService, toStorage] = inits;
    expect(toService).toMatchObject({ dispatcher: "proxy of the call", credentials: "include" });
    expect(Object.keys(toStorage ?? {}).sort()).toEqual([
      ...["cache", "dispatcher", "headers", "method", "redirect", "signal"],
    ]);
    expect(toStorage).toMatchObject({ dispatcher: "proxy of the call", cache: "no-store" });
  });

  it.each([...["ftp://storage.example.net/r", "//storage.example.net/r", "/r", "https://", "data:text/plain,x", ""]])(
    "the storage gets no request if the link is %j",
    async (link) => {
      const service = storage(recording, [], { link: () => link });
      const error = await rejectionOf(ConnectionError, download(service));
      expect(error).toMatchObject({ outcome: "rejected", retryable: false });
      expect(service.requests).toEqual([]);
    },
  );

  it("a redirect by the storage is refused", async () => {
    let astray = 0;
    const notetaker = await onLoopback((request, response) => {
      if (request.url === "/file") response.writeHead(302, { location: "/astray" }).end();
      else astray += 1;
    });
    const error = await rejectionOf(ConnectionError, notetaker.meetings.downloadRecording(MEETING));
    expect(error.message).toContain("redirect");
    expect(error).toMatchObject({ attempts: 1, retryable: false });
    expect(astray).toBe(0);
  });

  it("errors show only the origin of the link, because the link is a secret", async () => {
    const logs: unknown[] = [];
    const logger = (...args: unknown[]) => void logs.push(args);
    const service = storage(recording, [{ status: 403 }], { maxRetries: 0, logger });
    const error = await rejection(download(service));
    expect(error).toMatchObject({ request: { method: "GET", url: "https://storage.example.net" } });
    expect(JSON.stringify([error, String(error), (error as Error).cause, logs])).not.toContain("s3cret");
  });
});

describe("a connection that breaks", () => {
  it.each<[string, object, typeof NotetakerError, number]>([
    ["the service", { refuse: () => refusal(503, "unavailable") }, ServerError, 0],
    ["the storage", {}, ConnectionError, 3],
  ])("a download makes maxRetries retries if %s fails each time", async (_, options, errorClass, requests) => {
    const service = storage(recording, Array<Turn>(9).fill({ status: 503 }), options);
    const download = service.notetaker.meetings.downloadRecording(MEETING, { maxRetries: 2 });
    expect(await rejectionOf(errorClass, download)).toMatchObject({ attempts: 3, retryable: true });
    expect(service.toService).toHaveLength(3);
    expect(service.requests).toHaveLength(requests);
  });

  it("a connection may break any number of times as long as each attempt receives a byte, with one listener on the signal", async () => {
    const short = { bytes: bytesOfLength(100), etag: '"short"' };
    const service = storage(short, Array<Turn>(99).fill({ dropAfter: 1 }));
    const { signal } = new AbortController();
    const counts = new Set<number>();
    const onProgress = () => void counts.add(getEventListeners(signal, "abort").length);
    expect(await download(service, { signal, onProgress })).toEqual(short.bytes);
    expect(service.requests).toHaveLength(100);
    expect(Math.max(...counts)).toBe(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("a download does not resume if maxRetries is 0", async () => {
    const service = storage(recording, [{ dropAfter: 10 }]);
    const { stream } = await service.notetaker.meetings.downloadRecording(MEETING, { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, gathered(stream));
    expect(error.message).toContain("other side closed");
    expect(service.requests).toHaveLength(1);
  });
});

describe("a link that has expired", () => {
  it("the service's error ends the download if the service returns no fresh link", async () => {
    const service = storage(recording, [{ dropAfter: 10 }], {
      refuse: () => (service.toService.length > 1 ? refusal(401, "unauthorized") : undefined),
    });
    const { stream } = await service.notetaker.meetings.downloadRecording(MEETING);
    await rejectionOf(UnauthorizedError, gathered(stream));
  });

  it("the token function is called once more if a link is refused with a 401, and the download continues", async () => {
    const token = vi.fn(({ rejected }: { readonly rejected: string | undefined }) =>
      rejected === undefined ? "tok_old" : "tok_new",
    );
    const tokenOf = ({ headers }: Request) => headers.get("authorization");
    const service = storage(recording, [{ dropAfter: 300 }], {
      token,
      refuse: (request) => (tokenOf(request) === "Bearer tok_new" ? undefined : refusal(401, "unauthorized")),
    });
    expect(await download(service)).toEqual(bytes);
    // Two links, because the connection to the storage was lost once.
    const twice = ["Bearer tok_old", "Bearer tok_new"];
    expect(service.toService.map(tokenOf)).toEqual([...twice, ...twice]);
    expect(token.mock.calls.slice(0, 2)).toEqual([[{ rejected: undefined }], [{ rejected: "tok_old" }]]);
  });
});

describe("the end of a download", () => {
  it("timeoutMs limits the time without progress; the time of a slow reader does not count", async () => {
    vi.useFakeTimers();
    const service = storage(recording);
    const { stream } = await service.notetaker.meetings.downloadRecording(MEETING, { timeoutMs: 1_000 });
    const reader = stream.getReader();
    await reader.read();
    await vi.advanceTimersByTimeAsync(60_000);
    await reader.read();
    expect(service.requests).toHaveLength(1);
  });

  it("a stalled connection is replaced by a new one", async () => {
    vi.useFakeTimers();
    const service = storage(recording, [{ stallAfter: 100 }]);
    const all = download(service, { timeoutMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_001);
    expect(await all).toEqual(bytes);
    expect(ranges(service)).toEqual([undefined, "bytes=100-"]);
  });

  it("a download that ended, failed or was cancelled leaves no timer", async () => {
    vi.useFakeTimers();
    const options = { deadlineMs: 500_000, maxRetries: 0 };
    await download(storage(recording), options);
    await rejection(download(storage(recording, [{ status: 403 }]), options));
    await rejection(download(storage(recording, [{ dropAfter: 10 }]), options));
    const { stream } = await storage(recording).notetaker.meetings.downloadRecording(MEETING, options);
    await stream.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("an abort fails the stream at once with the signal's reason, even if nobody reads it", async () => {
    const controller = new AbortController();
    const service = storage(recording);
    const { stream } = await service.notetaker.meetings.downloadRecording(MEETING, { signal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort("gone");
    expect(await rejection(reader.read())).toBe("gone");
    expect(await rejection(reader.closed)).toBe("gone");
  });

  it("an abort keeps its reason unchanged if the reason is an error of another call", async () => {
    const reason = new ConnectionError({ message: "another call" });
    const controller = new AbortController();
    const service = storage(recording, [{ dropAfter: 10 }, { stallAfter: 0 }]);
    const { stream } = await service.notetaker.meetings.downloadRecording(MEETING, { signal: controller.signal });
    const failed = rejection(gathered(stream));
    await vi.waitFor(() => expect(service.requests).toHaveLength(2), 60_000);
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect(reason.attempts).toBe(0);
  });

  it("an abort during the pause before an attempt rejects at once", async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const controller = new AbortController();
    const service = storage(recording, [{ unreachable: true }]);
    const failed = rejection(download(service, { signal: controller.signal }));
    setTimeout(() => controller.abort("gone"), 10);
    expect(await failed).toBe("gone");
    expect(service.requests).toHaveLength(1);
  });

  it("cancelling the stream closes the connection", async () => {
    const closed = vi.fn();
    const notetaker = await onLoopback((_, response) => {
      response.on("close", closed);
      response.writeHead(200, { "content-length": 1_000_000 }).write("begun");
    });
    const { stream } = await notetaker.meetings.downloadRecording(MEETING);
    await stream.cancel();
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 60_000);
  });
});
