/**
 * `xhrFetch` outside of a browser, over a fake `XMLHttpRequest` that follows the standard. Real pages: test/browser.
 */
import { ConfigurationError } from "notetaker-sdk";
import { xhrFetch } from "notetaker-sdk/browser";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { UPLOAD_PROGRESS } from "../../src/upload-progress.js";
import { rejection } from "../support/recorder.js";

interface Answer {
  status?: number;
  headers?: string;
  body?: string;
  responseURL?: string;
}

/** How a server treats a request: it responds, closes the connection, or stays silent. */
type Behaviour = Answer | "broken" | "silent";

const URL_OF_REQUEST = "https://api.example.com/v1/meetings/upload?a=b#part";

let behaviour: Behaviour = {};
let requests: Page[] = [];

class Page {
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onloadend?: () => void;
  onerror?: () => void;
  onload?: () => void;
  responseType = "";
  withCredentials = false;
  status = 0;
  statusText = "";
  responseURL = "";
  response: ArrayBuffer | null = null;
  headers: Record<string, string> = {};
  method = "";
  url = "";
  body: unknown;
  isAborted = false;
  #responseHeaders = "";

  constructor() {
    requests.push(this);
  }

  open(method: string, url: string) {
    this.method = method;
    this.url = url;
    this.responseURL = url.replace(/#.*/, "");
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }

  getAllResponseHeaders() {
    return this.#responseHeaders;
  }

  abort() {
    this.isAborted = true;
    this.onloadend?.();
  }

  send(body: unknown) {
    this.body = body;
    if (behaviour !== "silent") queueMicrotask(() => this.finish(behaviour));
  }

  finish(result: Behaviour) {
    for (const loaded of [10, 20]) this.upload.onprogress?.({ loaded });
    if (result === "broken") this.onerror?.();
    else if (result !== "silent") {
      const { status = 200, headers = "", body = "", responseURL } = result;
      this.status = status;
      this.statusText = "Fine";
      this.#responseHeaders = headers;
      this.response = new TextEncoder().encode(body).buffer as ArrayBuffer;
      if (responseURL !== undefined) this.responseURL = responseURL;
      this.onload?.();
    }
    this.onloadend?.();
  }
}

beforeEach(() => {
  behaviour = {};
  requests = [];
  vi.stubGlobal("XMLHttpRequest", Page);
});

const NO_COOKIES = { withCredentials: false };
const put = (init: object = {}) => xhrFetch()(URL_OF_REQUEST, { method: "PUT", body: "text", ...init });

it("xhrFetch throws outside of a page, and the error says what to do", () => {
  vi.stubGlobal("XMLHttpRequest", undefined);
  expect(() => xhrFetch()).toThrow(ConfigurationError);
  expect(() => xhrFetch()).toThrow(
    "xhrFetch needs a page: there is no XMLHttpRequest. Leave out the fetch option in Node and in service workers.",
  );
});

describe("a request of xhrFetch", () => {
  it("without a body is sent with the page's own fetch", async () => {
    const fetch = vi.fn(async (..._: unknown[]) => new Response("own"));
    vi.stubGlobal("fetch", fetch);
    const init = { method: "GET", body: null };
    expect(await (await xhrFetch()("https://a.example/", init)).text()).toBe("own");
    await xhrFetch()("https://a.example/");
    expect(fetch.mock.calls).toEqual([
      ["https://a.example/", init],
      ["https://a.example/", {}],
    ]);
    expect(requests).toEqual([]);
  });

  it.each<[string, init: object, sent: object, url?: string | URL]>([
    ["has its headers, but no length", { headers: { "X-A": "1", "Content-Length": "4" } }, { headers: { "x-a": "1" } }],
    ["has its body, and no cookies", { credentials: "same-origin" }, { method: "PUT", body: "text", ...NO_COOKIES }],
    ["has cookies if they are to be included", { credentials: "include" }, { withCredentials: true }],
    ["is a GET without a method", { method: undefined }, { method: "GET" }, new URL(URL_OF_REQUEST)],
    ["is resolved against the URL of the page", {}, { url: "https://page.example/dir/api" }, "api"],
  ])("with a body %s", async (_, init, sent, url = URL_OF_REQUEST) => {
    vi.stubGlobal("location", { href: "https://page.example/dir/index.html" });
    await xhrFetch()(url, { method: "PUT", body: "text", ...init });
    expect(requests).toMatchObject([{ url: URL_OF_REQUEST, responseType: "arraybuffer", ...sent }]);
    expect(Object.keys(requests[0]!.headers)).not.toContainEqual(expect.stringMatching(/content-length/i));
  });

  it("with a stream as its body sends the whole stream", async () => {
    await put({ body: new Blob(["one ", "two"]).stream() });
    expect(await (requests[0] as Page & { body: Blob }).body.text()).toBe("one two");
  });

  it("reports the bytes that were sent, if the caller asks for progress", async () => {
    const sent: number[] = [];
    await put({ [UPLOAD_PROGRESS]: (bytes: number) => sent.push(bytes) });
    expect(sent).toEqual([10, 20]);
    await put();
    expect(requests[1]?.upload.onprogress).toBeUndefined();
  });
});

describe("a response of xhrFetch", () => {
  it("has the same status, headers, URL and body as with fetch", async () => {
    behaviour = { status: 201, headers: "Content-Type: text/plain\r\nX-A: 1: 2\r\n: odd\r\nodd\r\n", body: "done" };
    const response = await put();
    expect([response.status, response.statusText]).toEqual([201, "Fine"]);
    expect(response.url).toBe("https://api.example.com/v1/meetings/upload?a=b");
    const headers = { "content-type": "text/plain", "x-a": "1: 2" };
    expect([...response.headers]).toEqual(Object.entries(headers));
    expect(await response.text()).toBe("done");
  });

  it.each([204, 205, 304])("of status %d has no body", async (status) => {
    behaviour = { status, body: "ignored" };
    expect(await put()).toMatchObject({ status, body: null });
  });

  it("without a URL is accepted", async () => {
    behaviour = { responseURL: "" };
    expect((await put()).status).toBe(200);
  });

  it.each<[string, Behaviour, new () => Error, message?: string]>([
    ["of a status that Response does not have", { status: 700 }, RangeError],
    [
      "from another URL, of which the error shows only the origin",
      { responseURL: "https://other.example/path?token=secret" },
      TypeError,
      "XMLHttpRequest followed a redirect to https://other.example",
    ],
    ["that never arrives", "broken", TypeError, "the connection failed"],
  ])("%s rejects as with fetch", async (_, given, ErrorClass, message) => {
    behaviour = given;
    const error = await rejection(put());
    expect(error).toBeInstanceOf(ErrorClass);
    if (message !== undefined) expect((error as Error).message).toBe(message);
  });
});

it("a signal that has already aborted prevents a request of xhrFetch, and later aborts it with its reason", async () => {
  expect(await rejection(put({ signal: AbortSignal.abort("before") }))).toBe("before");
  expect(requests).toEqual([]);
  const controller = new AbortController();
  await put({ signal: controller.signal });
  behaviour = "silent";
  const result = rejection(put({ signal: controller.signal }));
  controller.abort("stop");
  expect(await result).toBe("stop");
  // No listener was left after the response to the first one.
  expect(requests.map(({ isAborted }) => isAborted)).toEqual([false, true]);
});
