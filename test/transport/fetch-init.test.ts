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
import { describe, expect, it, vi } from "vitest";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../../src/upload-progress.js";
import { BrowserRequest } from "../support/browser-request.js";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

describe("the init of a request that needs the present state", () => {
  const client: ClientOptions = { fetchOptions: { cache: "force-cache", next: { revalidate: 3600 } } };
  const page = json(samples.page([{ ...samples.meeting, status: "completed" }]));

  it.each<[string, (notetaker: Notetaker) => PromiseLike<unknown>, Response?]>([
    ["a write", ({ meetings }) => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" })],
    ["a poll of a wait", ({ meetings }) => meetings.waitForCompletion("mtg_1", { pollMs: 1 }), page],
    [
      "a request for a recording link",
      // The storage's answer is no recording, which does not matter here.
      ({ meetings }) => meetings.downloadRecording("mtg_1").catch(() => {}),
      json({ meeting_id: "mtg_1", recording_url: "https://example.net/r" }),
    ],
  ])("keeps it out of the caches of Next.js 13 and 14: %s", async (_, call, answer) => {
    const [init] = await initsOf(call, client, answer);
    expect(init).toMatchObject({ cache: "no-store" });
    expect(init).not.toHaveProperty("next");
  });

  it("is the caller's for other reads", async () => {
    expect(await initsOf(({ webhooks }) => webhooks.list(), client)).toMatchObject([client.fetchOptions]);
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
async function initsOf(
  call: (notetaker: Notetaker) => PromiseLike<unknown>,
  options: ClientOptions = {},
  answer = json({ id: "mtg_1", status: "processing", automation: "MANUAL" }),
) {
  const inits: (FetchInit & UploadProgressInit & { keepalive?: unknown })[] = [];
  const fetch: Fetch = async (_url, init: FetchInit & UploadProgressInit) => {
    init[UPLOAD_PROGRESS]?.(3);
    inits.push(init);
    return answer.clone();
  };
  await call(clientOf(() => json([]), { fetch, validation: "off", ...options }).notetaker);
  return inits;
}

describe("the init of a request", () => {
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
