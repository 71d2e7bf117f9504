/** The body that `fetch` gets after middleware passed a request on, either its own request or another one. */
import type { Fetch, FetchInit, Middleware, Notetaker } from "notetaker-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BrowserRequest } from "../support/browser-request.js";
import { clientOf, json, rejection } from "../support/recorder.js";

const BYTES = new Uint8Array([1, 2, 3, 250]);
const TEXT = '{"name":"a"}';

const post = (notetaker: Notetaker) => notetaker.request("POST", "/teams", { body: { name: "a" } });
const upload = (notetaker: Notetaker) => notetaker.meetings.upload(BYTES, { contentType: "audio/wav" });

interface Sent {
  method: string;
  kind: string;
  /** The body's bytes; `undefined` if there is no body. */
  bytes: number[] | undefined;
  duplex: string | undefined;
}

const kindOf = (body: unknown) => (body === undefined ? "none" : Object.prototype.toString.call(body).slice(8, -1));

/** What `fetch` gets if `call` is made through this middleware. */
async function sentThrough(call: (notetaker: Notetaker) => PromiseLike<unknown>, ...middleware: Middleware[]) {
  const requests: Sent[] = [];
  const inits: FetchInit[] = [];
  const fetch: Fetch = async (_url, init) => {
    const { method, body, duplex } = init;
    const bytes = body === undefined ? undefined : [...new Uint8Array(await new Response(body).arrayBuffer())];
    requests.push({ method, kind: kindOf(body), bytes, duplex });
    inits.push(init);
    return json({ id: "mtg_1", status: "processing" });
  };
  const { notetaker } = clientOf(() => json({}), { fetch, middleware, maxRetries: 0 });
  await call(notetaker);
  return { requests, inits };
}

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

const passOn: Middleware = (request, next) => next(request);
const copied: Middleware = (request, next) => next(new Request(request));
const cloned: Middleware = (request, next) => next(request.clone());
/** Passes on a request with another method, with another body, or without a body. */
const changed =
  (method: string, body?: string): Middleware =>
  (request, next) =>
    next(new Request(request.url, { method, headers: { "x-a": "1" }, ...(body !== undefined && { body }) }));

describe("the JSON body of a call with middleware", () => {
  it.each<[string, Middleware, Sent]>([
    ["is sent as text with the original request", passOn, sent("POST", "String", bytesOf(TEXT))],
    ["is sent as bytes with a clone of the request", cloned, sent("POST", "ArrayBuffer", bytesOf(TEXT))],
    ["is sent as bytes with a copy of the request", copied, sent("POST", "ArrayBuffer", bytesOf(TEXT))],
    ["is replaced by the body of another request", changed("POST", "abc"), sent("POST", "ArrayBuffer", bytesOf("abc"))],
    ["is not sent with another request without a body", changed("POST"), sent("POST", "none")],
    ["is not sent if the method becomes GET", changed("GET"), sent("GET", "none")],
  ])("%s", async (_, middleware, expected) => {
    const { requests, inits } = await sentThrough(post, middleware);
    expect(requests).toEqual([expected]);
    expect("body" in inits[0]!).toBe(expected.kind !== "none");
  });

  it("cannot be sent after a middleware has read it without making a copy", async () => {
    const readIt: Middleware = async (request, next) => {
      expect(await request.text()).toBe(TEXT);
      return next(request);
    };
    const fetch = vi.fn<Fetch>(async () => json({}));
    const { notetaker } = clientOf(() => json({}), { fetch, middleware: [readIt] });
    expect(await rejection(post(notetaker))).toBeInstanceOf(TypeError);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("the body of an upload with middleware", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each<[string, Middleware, Sent]>([
    ["is a stream with the original request", passOn, sent("PUT", "ReadableStream", BYTES)],
    ["is a stream with a copy of the request", copied, sent("PUT", "ReadableStream", BYTES)],
    [
      "is replaced by the body of another request",
      changed("PUT", "abc"),
      sent("PUT", "ReadableStream", bytesOf("abc")),
    ],
    ["is not sent if the method becomes GET", changed("GET"), sent("GET", "none")],
    ["is not sent if the method becomes HEAD", changed("HEAD"), sent("HEAD", "none")],
  ])("%s", async (_, middleware, expected) => {
    expect((await sentThrough(upload, middleware)).requests).toEqual([expected]);
  });

  it.each<[string, Middleware, Sent]>([
    ["is the caller's source with the original request", passOn, sent("PUT", "Uint8Array", BYTES)],
    ["is a Blob with a copy of the request", copied, sent("PUT", "Blob", BYTES)],
    ["is replaced by the body of another request", changed("PUT", "abc"), sent("PUT", "Blob", bytesOf("abc"))],
    ["is not sent if the method becomes GET", changed("GET"), sent("GET", "none")],
  ])("in a browser %s", async (_, middleware, expected) => {
    vi.stubGlobal("Request", BrowserRequest);
    expect((await sentThrough(upload, middleware)).requests).toEqual([expected]);
  });
});

/** A body that is not text needs `duplex`, in case it is a stream. */
function sent(method: string, kind: string, bytes?: Iterable<number>): Sent {
  const duplex = kind === "none" || kind === "String" ? undefined : "half";
  return { method, kind, bytes: bytes && [...bytes], duplex };
}
