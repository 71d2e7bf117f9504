/** What `fetch` gets with each request: its init, the caller's `fetchOptions`, and nothing that a framework would cache. */
import {
  type ClientOptions,
  type Fetch,
  type FetchInit,
  type Notetaker,
  ServerError,
  type UploadProgress,
} from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../../src/upload-progress.js";
import { BrowserRequest } from "../support/browser-request.js";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

type Call = (notetaker: Notetaker) => PromiseLike<unknown>;

async function initsOf(call: Call, options: ClientOptions = {}, answer = json({ id: "mtg_1", automation: "MANUAL" })) {
  const inits: (FetchInit & UploadProgressInit & { keepalive?: unknown })[] = [];
  const fetch: Fetch = async (_url, init: FetchInit & UploadProgressInit) => {
    init[UPLOAD_PROGRESS]?.(3);
    inits.push(init);
    return answer.clone();
  };
  await call(clientOf(() => json([]), { fetch, validation: "off", ...options }).notetaker);
  return inits;
}

const list: Call = ({ webhooks }) => webhooks.list();
const get: Call = (notetaker) => notetaker.request("GET", "/teams");
const post: Call = (notetaker) => notetaker.request("POST", "/teams", { body: { a: 1 } });
const put: Call = (notetaker) => notetaker.request("PUT", "/teams", { body: { a: 1 } });
const upload =
  (source: Blob | ReadableStream | Uint8Array<ArrayBuffer>, onProgress?: (progress: UploadProgress) => void): Call =>
  ({ meetings }) =>
    meetings.upload(source, { contentType: "audio/wav" }, { onProgress });

describe("the fetch of a client", () => {
  it("is called with a URL and an init, and without this", async () => {
    const calls: unknown[][] = [];
    async function fetch(this: unknown, ...args: unknown[]) {
      calls.push([this, ...args]);
      return json([]);
    }
    await clientOf(() => json([]), { fetch }).notetaker.webhooks.list();
    const init = { method: "GET", redirect: "error", signal: expect.any(AbortSignal) };
    expect(calls).toEqual([[undefined, "https://api.example.com/v1/webhooks", expect.objectContaining(init)]]);
  });

  it("is by default the global fetch at the time of the call", async () => {
    const { notetaker } = clientOf(() => json([]), { fetch: undefined });
    const fetch = vi.fn(async (_: string) => json([]));
    vi.stubGlobal("fetch", fetch);
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(fetch.mock.calls[0]?.[0]).toBe("https://api.example.com/v1/webhooks");
  });
});

describe("the init of a request", () => {
  it.each<[string, Call, has: object, lacks: PropertyKey[], ClientOptions?]>([
    ["a call without a body", get, {}, ["body", "duplex", UPLOAD_PROGRESS, "keepalive"]],
    ["JSON, which is a text", post, { body: '{"a":1}' }, ["duplex", UPLOAD_PROGRESS]],
    ["an upload", upload(new Blob(["12345"])), { duplex: "half", headers: { "content-length": "5" } }, []],
    ["an upload of unknown length", upload(new Blob(["12345"]).stream()), { duplex: "half" }, []],
    // Bun's `fetch` repeats a PUT over a connection that was used before.
    ["a call that must not be sent twice", put, { keepalive: false }, []],
    ["such a call behind a middleware", put, { keepalive: false }, [], { middleware: [(one, next) => next(one)] }],
    ["such a call of a client with keepalive", put, { keepalive: true }, [], { fetchOptions: { keepalive: true } }],
  ])("is that of %s", async (_, call, has, lacks, options) => {
    const [init] = await initsOf(call, options);
    expect(init).toMatchObject(has);
    for (const name of lacks) expect(name in init!).toBe(false);
  });

  it("has no Content-Length header if the length is unknown", async () => {
    const [init] = await initsOf(upload(new Blob(["12345"]).stream()));
    expect(init!.headers).not.toHaveProperty("content-length");
  });

  it("has a new signal for each attempt, so that React, which remembers the reads of a render, sends them all", async () => {
    const signals: AbortSignal[] = [];
    const fetch: Fetch = async (_url, init) => {
      signals.push(init.signal);
      return refusal(503, "unavailable");
    };
    const { notetaker } = clientOf(() => json([]), { fetch, maxRetryDelayMs: 0 });
    const controller = new AbortController();
    await rejectionOf(ServerError, notetaker.webhooks.list({ signal: controller.signal }));
    await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(signals.filter((signal) => signal instanceof AbortSignal)).toHaveLength(6);
    expect(new Set(signals).size).toBe(6);
    expect(signals).not.toContain(controller.signal);
  });

  it("has a progress callback for an upload in a browser, where only fetch knows the progress", async () => {
    vi.stubGlobal("Request", BrowserRequest);
    const progress: number[] = [];
    await initsOf(upload(new Uint8Array(5), ({ sentBytes }) => void progress.push(sentBytes)));
    expect(progress).toEqual([0, 3, 5]);
  });
});

describe("the caches of Next.js 13 and 14", () => {
  const client: ClientOptions = { fetchOptions: { cache: "force-cache", next: { revalidate: 3600 } } };
  const page = json(samples.page([{ ...samples.meeting, status: "completed" }]));

  it.each<[string, Call, Response?]>([
    ["a write", post],
    ["a poll of a wait", ({ meetings }) => meetings.waitForCompletion("mtg_1", { pollMs: 1 }), page],
    [
      "a request for a recording link",
      // The storage's answer is no recording, which does not matter here.
      ({ meetings }) => meetings.downloadRecording("mtg_1").catch(() => {}),
      json({ meeting_id: "mtg_1", recording_url: "https://example.net/r" }),
    ],
  ])("never hold what needs the present state: %s", async (_, call, answer) => {
    const [init] = await initsOf(call, client, answer);
    expect(init).toMatchObject({ cache: "no-store" });
    expect(init).not.toHaveProperty("next");
  });

  it("hold other reads as the caller says", async () => {
    expect(await initsOf(list, client)).toMatchObject([client.fetchOptions]);
  });

  it("are not named in a runtime whose Request does not know `cache`: its fetch would refuse it", async () => {
    const cache = Object.getOwnPropertyDescriptor(Request.prototype, "cache")!;
    Reflect.deleteProperty(Request.prototype, "cache");
    const [init] = await initsOf(post).finally(() => Object.defineProperty(Request.prototype, "cache", cache));
    expect(init).not.toHaveProperty("cache");
  });
});

describe("fetchOptions", () => {
  it.each([[[]], [[(request: Request, next: (request: Request) => Promise<Response>) => next(request)]]])(
    "are passed to fetch with every request, with the call's options before the client's: middleware %o",
    async (middleware) => {
      const twice: Call = async ({ webhooks }) => {
        await webhooks.list();
        await webhooks.list({ fetchOptions: { next: { tags: ["webhooks"] } } });
      };
      const inits = await initsOf(twice, {
        fetchOptions: { next: { revalidate: 60 }, cf: { cacheTtl: 5 } },
        middleware,
      });
      expect(inits[0]).toMatchObject({ next: { revalidate: 60 }, cf: { cacheTtl: 5 }, method: "GET" });
      expect(inits[1]).toMatchObject({ next: { tags: ["webhooks"] }, cf: { cacheTtl: 5 } });
      for (const { headers } of inits) expect(headers.accept).toBe("application/json");
    },
  );
});
