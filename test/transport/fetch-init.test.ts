/** What `fetch` gets with each request: its init, the caller's `fetchOptions`, and nothing that a framework would cache. */
import {
  type ClientOptions,
  type Fetch,
  type FetchInit,
  type Middleware,
  type Notetaker,
  ServerError,
  type UploadProgress,
} from "notetaker-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../../src/upload-progress.js";
import { asFetch } from "../support/as-fetch.js";
import { BrowserRequest } from "../support/browser-request.js";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/**
 * The rule by which React, and therefore Next.js, caches the reads of one render: a GET or HEAD whose init has no
 * `signal` is cached by its URL, method, headers and so on, and sent once. A request with a `signal` is never cached.
 */
function remembering(send: Fetch): Fetch {
  const remembered = new Map<string, Promise<Response>>();
  return async (url, init) => {
    const request = new Request(url, init);
    const mayBeRemembered = (request.method === "GET" || request.method === "HEAD") && !init?.signal;
    if (!mayBeRemembered) return send(url, init);
    const key = JSON.stringify([request.method, url, [...request.headers], request.redirect, request.credentials]);
    const response = remembered.get(key) ?? (send(url, init) as Promise<Response>);
    remembered.set(key, response);
    return (await response).clone();
  };
}

describe("with a fetch that caches reads during a render, the client", () => {
  it("sends every attempt of a call", async () => {
    const answer = vi.fn(async () => refusal(503, "unavailable"));
    const { notetaker } = clientOf(() => json([]), { fetch: remembering(asFetch(answer)), maxRetryDelayMs: 0 });
    await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(answer).toHaveBeenCalledTimes(3);
  });

  it("sends a read after a write again, and every poll of a wait", async () => {
    let polls = 0;
    const statuses = ["processing", "processing", "completed"];
    const answer = async () => json(samples.page([{ ...samples.meeting, status: statuses[polls++] ?? "x" }]));
    const { notetaker } = clientOf(() => json([]), { fetch: remembering(asFetch(answer)) });
    await notetaker.meetings.waitForCompletion("mtg_1", { pollMs: 1 });
    expect(polls).toBe(3);
  });
});

/**
 * The rule of the cache on disk of Next.js 13 and 14: a response is kept for every request, whatever its method and
 * signal, unless its init says `no-store`, and `next` does not say for how long.
 */
function keeping(send: Fetch): Fetch {
  const kept = new Map<string, Promise<Response>>();
  return async (url, init: FetchInit & { cache?: string; next?: { revalidate?: number } }) => {
    if (init.cache === "no-store" && init.next?.revalidate === undefined) return send(url, init);
    const key = `${init.method} ${url} ${init.body}`;
    const response = kept.get(key) ?? (send(url, init) as Promise<Response>);
    kept.set(key, response);
    return (await response).clone();
  };
}

describe("with a fetch that keeps responses on disk, the client", () => {
  const options: ClientOptions = { fetchOptions: { cache: "force-cache", next: { revalidate: 3600 } } };

  it("sends every poll of a wait", async () => {
    let polls = 0;
    const statuses = ["processing", "processing", "completed"];
    const answer = async () => json(samples.page([{ ...samples.meeting, status: statuses[polls++] ?? "x" }]));
    const { notetaker } = clientOf(() => json([]), { fetch: keeping(asFetch(answer)), ...options });
    await notetaker.meetings.waitForCompletion("mtg_1", { pollMs: 1 });
    expect(polls).toBe(3);
  });

  it("sends every write, and requests each recording link anew", async () => {
    const answer = vi.fn(async ({ url }: Request) => {
      if (url.endsWith("/bot")) return json({ meeting_id: "mtg_1", status: "scheduling" }, 202);
      if (url.endsWith("/recording")) return json({ meeting_id: "mtg_1", recording_url: "https://example.net/r" });
      return new Response("bytes", { headers: { "content-length": "5" } });
    });
    const { notetaker } = clientOf(() => json([]), { fetch: keeping(asFetch(answer)), ...options });
    for (let time = 1; time <= 2; time += 1) {
      await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
      const { stream } = await notetaker.meetings.downloadRecording("mtg_1");
      await new Response(stream).text();
    }
    const paths = answer.mock.calls.map(([{ url }]) => new URL(url).pathname);
    expect(paths.filter((path) => path.endsWith("/bot"))).toHaveLength(2);
    expect(paths.filter((path) => path.endsWith("/recording"))).toHaveLength(2);
  });

  it("leaves it to fetchOptions for how long other reads are kept", async () => {
    const answer = vi.fn(async () => json([]));
    const { notetaker } = clientOf(() => json([]), { fetch: keeping(asFetch(answer)), ...options });
    for (let time = 1; time <= 2; time += 1) await notetaker.webhooks.list();
    expect(answer).toHaveBeenCalledTimes(1);
  });
});

it("a write has no `cache` in a runtime whose Request does not know it: its fetch would refuse it", async () => {
  const cache = Object.getOwnPropertyDescriptor(Request.prototype, "cache")!;
  Reflect.deleteProperty(Request.prototype, "cache");
  const [init] = await initsOf((notetaker) => notetaker.request("POST", "/teams", { body: {} })).finally(() =>
    Object.defineProperty(Request.prototype, "cache", cache),
  );
  expect(init).not.toHaveProperty("cache");
});

/** The inits that `fetch` gets for a call. */
async function initsOf(call: (notetaker: Notetaker) => PromiseLike<unknown>, options: ClientOptions = {}) {
  const inits: (FetchInit & UploadProgressInit & { keepalive?: unknown })[] = [];
  const fetch: Fetch = async (_url, init: FetchInit & UploadProgressInit) => {
    init[UPLOAD_PROGRESS]?.(3);
    inits.push(init);
    return json({ id: "mtg_1", status: "processing", automation: "MANUAL" });
  };
  await call(clientOf(() => json([]), { fetch, validation: "off", ...options }).notetaker);
  return inits;
}

describe("the init of a request", () => {
  it("has a separate signal for each attempt", async () => {
    const signals: AbortSignal[] = [];
    const fetch: Fetch = async (_url, init) => {
      signals.push(init.signal);
      return refusal(503, "unavailable");
    };
    const { notetaker } = clientOf(() => json([]), { fetch, maxRetryDelayMs: 0 });
    const controller = new AbortController();
    await rejectionOf(ServerError, notetaker.webhooks.list({ signal: controller.signal }));
    expect(new Set(signals).size).toBe(3);
    expect(signals).not.toContain(controller.signal);
  });

  it("is empty for a call without a body", async () => {
    const [init] = await initsOf((notetaker) => notetaker.request("GET", "/teams"));
    expect(init).not.toHaveProperty("body");
    expect(init).not.toHaveProperty("duplex");
    expect(UPLOAD_PROGRESS in init!).toBe(false);
  });

  it("is only the text for JSON", async () => {
    const [init] = await initsOf((notetaker) => notetaker.request("POST", "/teams", { body: { a: 1 } }));
    expect(init!.body).toBe('{"a":1}');
    expect(init).not.toHaveProperty("duplex");
    expect(UPLOAD_PROGRESS in init!).toBe(false);
  });

  it('has duplex "half" for an upload, and a Content-Length header if the length is known', async () => {
    const upload = (source: Blob | ReadableStream) => (notetaker: Notetaker) =>
      notetaker.meetings.upload(source, { contentType: "audio/wav" });
    const [init] = await initsOf(upload(new Blob(["12345"])));
    expect(init).toMatchObject({ duplex: "half", headers: { "content-length": "5" } });
    const [streamed] = await initsOf(upload(new Blob(["12345"]).stream()));
    expect(streamed!.headers).not.toHaveProperty("content-length");
  });

  it("has a progress callback for an upload in a browser, where only fetch knows the progress", async () => {
    vi.stubGlobal("Request", BrowserRequest);
    const progress: number[] = [];
    const onProgress = ({ sentBytes }: UploadProgress) => void progress.push(sentBytes);
    await initsOf(({ meetings }) => meetings.upload(new Uint8Array(5), { contentType: "audio/wav" }, { onProgress }));
    expect(progress).toEqual([0, 3, 5]);
  });
});

describe("fetchOptions", () => {
  it("are passed to fetch with every request, with the call's options before the client's", async () => {
    const fetchOptions = { next: { revalidate: 60 }, cache: "no-store" };
    const twice = async ({ webhooks }: Notetaker) => {
      await webhooks.list();
      await webhooks.list({ fetchOptions: { next: { tags: ["webhooks"] } } });
    };
    const inits = await initsOf(twice, { fetchOptions });
    expect(inits[0]).toMatchObject({ next: { revalidate: 60 }, cache: "no-store", method: "GET" });
    expect(inits[1]).toMatchObject({ next: { tags: ["webhooks"] }, cache: "no-store" });
  });

  it("are passed to fetch through middleware", async () => {
    const [init] = await initsOf(({ webhooks }) => webhooks.list(), {
      fetchOptions: { cf: { cacheTtl: 5 } },
      middleware: [(request, next) => next(request)],
    });
    expect(init).toMatchObject({ cf: { cacheTtl: 5 }, headers: { accept: "application/json" } });
  });
});

describe("a call that must not be sent twice", () => {
  const automation = { automation: "MANUAL" };
  const passOn: Middleware = (request, next) => next(request);
  const custom = (notetaker: Notetaker) =>
    notetaker.request("PUT", "/settings/notetaker-automation", { body: automation });

  it.each([{ middleware: [] }, { middleware: [passOn] }])(
    "uses a new connection, because Bun's fetch repeats a PUT over a connection that was used before",
    async (client) => {
      expect((await initsOf(custom, client))[0]).toHaveProperty("keepalive", false);
    },
  );

  it("keeps the keepalive of fetchOptions", async () => {
    const client = { fetchOptions: { keepalive: true } };
    expect((await initsOf(custom, client))[0]).toHaveProperty("keepalive", true);
  });
});
