/** The middleware that wraps each attempt, and the request that `fetch` gets from it. */
import {
  ConnectionError,
  type Fetch,
  type FetchInit,
  type Middleware,
  type MiddlewareContext,
  type Notetaker,
  NotFoundError,
  ResponseValidationError,
} from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { BrowserRequest } from "../support/browser-request.js";
import { CALLS, success } from "../support/calls.js";
import { lostConnection } from "../support/failures.js";
import { clientOf, failureOf, json, refusal, rejection, rejectionOf, TOKEN } from "../support/recorder.js";

const passOn: Middleware = (request, next) => next(request);
const reading: Middleware = async (request, next) => {
  const response = await next(request);
  await response.text();
  return response;
};

describe("a middleware", () => {
  it("wraps each attempt, with the first middleware outermost, and knows the operation and the attempt", async () => {
    const notes: string[] = [];
    const contexts: MiddlewareContext[] = [];
    const noting =
      (name: string): Middleware =>
      async (request, next, context) => {
        contexts.push(context);
        notes.push(`${name} in`);
        const response = await next(request);
        notes.push(`${name} out`);
        return response;
      };
    const { notetaker } = clientOf(
      (_, index) => {
        notes.push("fetch");
        return index === 0 ? refusal(429, "rate_limited", { "retry-after": "0" }) : json([]);
      },
      { middleware: [noting("a"), noting("b")] },
    );
    await notetaker.webhooks.list();
    const attempt = ["a in", "b in", "fetch", "b out", "a out"];
    expect(notes).toEqual([...attempt, ...attempt]);
    expect(contexts.map(({ operation, attempt }) => `${operation} ${attempt}`)).toEqual(
      [1, 1, 2, 2].map((number) => `webhooks.list ${number}`),
    );
    expect(new Set(contexts.map(({ signal }) => signal)).size).toBe(2);
  });

  it.each(CALLS)("gets the request of $operation as it is sent, and may change it", async (call) => {
    const seenInside: string[] = [];
    const { notetaker, seen } = clientOf(() => success(call), {
      middleware: [
        async (request, next) => {
          const { method, url, headers } = request;
          seenInside.push(`${method} ${new URL(url).pathname.slice(3)} ${headers.get("authorization")}`);
          const changed = new Request(request);
          changed.headers.set("authorization", "Bearer other");
          changed.headers.delete("accept");
          return next(changed);
        },
      ],
    });
    await call.make(notetaker);
    expect(seenInside).toEqual([`${call.method} ${call.path} Bearer ${TOKEN}`]);
    expect(seen[0]!.headers.authorization).toBe("Bearer other");
    expect(seen[0]!.headers).not.toHaveProperty("accept");
    if (call.sends && "json" in call.sends) expect(JSON.parse(seen[0]!.body)).toEqual(call.sends.json);
  });

  it("may return its own response, which is read like one of the service, and no request is sent", async () => {
    const own = [() => refusal(503, "unavailable", { "retry-after": "0" }), () => json([]), () => refusal(404, "x")];
    const middleware: Middleware[] = [async () => own.shift()!()];
    const { notetaker, seen } = clientOf(() => json([5]), { middleware });
    expect(await notetaker.webhooks.list()).toEqual([]);
    await rejectionOf(NotFoundError, notetaker.webhooks.list());
    expect(seen).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["an error", new Error("mine")],
    ["a TypeError like one of fetch", new TypeError("fetch failed")],
    ["a string", "mine"],
    ["undefined", undefined],
  ])("ends the call with %s if it throws that, unchanged and without a retry", async (_, thrown) => {
    const atOnce = vi.fn<Middleware>(() => {
      throw thrown;
    });
    const after = vi.fn<Middleware>(async (request, next) => {
      await next(request);
      throw thrown;
    });
    for (const middleware of [atOnce, after]) {
      const { notetaker } = clientOf(() => json([]), { middleware: [passOn, middleware] });
      expect(await rejection(notetaker.webhooks.list())).toBe(thrown);
      expect(middleware).toHaveBeenCalledTimes(1);
    }
  });

  it("gets a lost connection as the error that the call ends with, and may repeat the request itself", async () => {
    const caught: unknown[] = [];
    const repeating: Middleware = (request, next) =>
      next(request.clone()).catch((error) => {
        caught.push(error);
        return next(request);
      });
    const lost = () => Promise.reject(lostConnection("ECONNRESET"));
    const options = { maxRetries: 0, middleware: [repeating] };
    const { notetaker, seen } = clientOf((_, index) => (index === 0 ? lost() : json([])), options);
    expect(await notetaker.webhooks.list()).toEqual([]);
    expect(seen).toHaveLength(2);
    const rethrowing: Middleware = (request, next) =>
      next(request).catch((error) => {
        caught.push(error);
        throw error;
      });
    const error = await failureOf(lost, { middleware: [rethrowing] });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(caught.at(-1)).toBe(error);
  });

  it.each([
    ["undefined", undefined],
    ["an object that is not a response", { status: 200 }],
    ["an object like an error response", { status: 404, ok: false }],
    ["an object with the headers of Node", { status: 200, ok: true, headers: {}, text: async () => "[]" }],
  ])("causes a ConnectionError if it returns %s", async (_, returned) => {
    const error = await failureOf(() => json([]), { middleware: [async () => returned as never] });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain("no response");
  });

  it("may read a copy of the response; the error of a call whose response it has read itself names it", async () => {
    const copying: Middleware = async (request, next) => {
      const response = await next(request);
      expect(await response.clone().json()).toEqual([]);
      return response;
    };
    expect(await clientOf(() => json([]), { middleware: [copying] }).notetaker.webhooks.list()).toEqual([]);
    const { notetaker, seen } = clientOf(() => json([]), { middleware: [reading] });
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error).toMatchObject({
      outcome: "accepted",
      issues: [{ message: expect.stringContaining("a middleware") }],
    });
    expect(seen).toHaveLength(1);
    const refused = await failureOf(() => refusal(404, "not_found"), { middleware: [reading] });
    expect(refused).toBeInstanceOf(NotFoundError);
    const withoutResult = clientOf(() => new Response("gone"), { middleware: [reading] }).notetaker;
    expect(await withoutResult.webhooks.delete("whk_1")).toBeUndefined();
  });

  it("has a signal that aborts with the caller's reason", async () => {
    const controller = new AbortController();
    let reason: unknown;
    const aborting: Middleware = async (request, next, { signal }) => {
      controller.abort("mine");
      reason = signal.reason;
      return next(request);
    };
    const { notetaker } = clientOf(() => json([]), { middleware: [aborting] });
    await rejection(notetaker.webhooks.list({ signal: controller.signal }));
    expect(reason).toBe("mine");
  });
});

const BYTES = new Uint8Array([1, 2, 3, 250]);
const TEXT = '{"name":"a"}';
const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

const post = (notetaker: Notetaker) => notetaker.request("POST", "/teams", { body: { name: "a" } });
const upload = (notetaker: Notetaker) => notetaker.meetings.upload(BYTES, { contentType: "audio/wav" });

const kindOf = (body: unknown) => (body === undefined ? "none" : Object.prototype.toString.call(body).slice(8, -1));

/** What `fetch` gets if a call is made through this middleware: the method, the kind of the body, and its bytes. */
async function sentThrough(call: (notetaker: Notetaker) => PromiseLike<unknown>, middleware: Middleware) {
  const sent: unknown[] = [];
  const inits: FetchInit[] = [];
  const fetch: Fetch = async (_url, init) => {
    inits.push(init);
    const { method, body, duplex } = init;
    const bytes = body === undefined ? [] : [...new Uint8Array(await new Response(body).arrayBuffer())];
    sent.push(method, kindOf(body), bytes, duplex);
    return json({ id: "mtg_1", status: "processing" });
  };
  await call(clientOf(() => json({}), { fetch, middleware: [middleware], maxRetries: 0 }).notetaker);
  return { sent, inits };
}

/** Passes on a request with another method, with another body, or without a body. */
const changed =
  (method: string, body?: string): Middleware =>
  (request, next) =>
    next(new Request(request.url, { method, headers: { "x-a": "1" }, ...(body !== undefined && { body }) }));
const copied: Middleware = (request, next) => next(new Request(request));
const cloned: Middleware = (request, next) => next(request.clone());

type Row = [call: typeof post, what: string, Middleware, method: string, kind: string, bytes?: Iterable<number>];
const IN_NODE: Row[] = [
  [post, "the text of JSON with the original request", passOn, "POST", "String", bytesOf(TEXT)],
  [post, "bytes of JSON with a clone", cloned, "POST", "ArrayBuffer", bytesOf(TEXT)],
  [post, "bytes of JSON with a copy", copied, "POST", "ArrayBuffer", bytesOf(TEXT)],
  [post, "the body of another request", changed("POST", "abc"), "POST", "ArrayBuffer", bytesOf("abc")],
  [post, "nothing with another request without a body", changed("POST"), "POST", "none"],
  [post, "nothing if the method becomes GET", changed("GET"), "GET", "none"],
  [upload, "the stream of an upload with the original request", passOn, "PUT", "ReadableStream", BYTES],
  [upload, "the stream of an upload with a copy", copied, "PUT", "ReadableStream", BYTES],
  [upload, "another body of an upload", changed("PUT", "abc"), "PUT", "ReadableStream", bytesOf("abc")],
  [upload, "nothing if the method of an upload becomes GET", changed("GET"), "GET", "none"],
  [upload, "nothing if the method of an upload becomes HEAD", changed("HEAD"), "HEAD", "none"],
];
const IN_BROWSER: Row[] = [
  [upload, "the caller's source with the original request", passOn, "PUT", "Uint8Array", BYTES],
  [upload, "a Blob with a copy", copied, "PUT", "Blob", BYTES],
  [upload, "the body of another request", changed("PUT", "abc"), "PUT", "Blob", bytesOf("abc")],
  [upload, "nothing if the method becomes GET", changed("GET"), "GET", "none"],
];
describe.each([
  ["Node", undefined, IN_NODE],
  ["a browser", BrowserRequest, IN_BROWSER],
])("behind a middleware in %s, fetch gets", (_, request, rows) => {
  it.each(rows)("%o: %s", async (call, _what, middleware, method, kind, bytes = []) => {
    if (request !== undefined) vi.stubGlobal("Request", request);
    const { sent, inits } = await sentThrough(call, middleware);
    // A body that is not text needs `duplex`, in case it is a stream.
    expect(sent).toEqual([method, kind, [...bytes], kind === "none" || kind === "String" ? undefined : "half"]);
    expect("body" in inits[0]!).toBe(kind !== "none");
  });
});

it("a JSON body cannot be sent after a middleware has read it without making a copy", async () => {
  const readIt: Middleware = async (request, next) => {
    expect(await request.text()).toBe(TEXT);
    return next(request);
  };
  const fetch = vi.fn<Fetch>(async () => json({}));
  expect(await failureOf(() => json({}), { fetch, middleware: [readIt] }, post)).toBeInstanceOf(TypeError);
  expect(fetch).not.toHaveBeenCalled();
});
