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
  /** The URL of the response. Default: the URL of the request. */
  responseURL?: string;
}

/** How a server treats a request: it responds, closes the connection, or stays silent. */
type Behaviour = Answer | "broken" | "silent";

const URL_OF_REQUEST = "https://api.example.com/v1/meetings/upload?a=b#part";

let behaviour: Behaviour = {};
let requests: Page[] = [];

/** The part of the standard `XMLHttpRequest` that `xhrFetch` uses. */
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
    const seen: unknown[] = [];
    vi.stubGlobal("fetch", async (...args: unknown[]) => {
      seen.push(args);
      return new Response("own");
    });
    const init = { method: "GET", body: null };
    expect(await (await xhrFetch()("https://a.example/", init)).text()).toBe("own");
    await xhrFetch()("https://a.example/");
    expect(seen).toEqual([
      ["https://a.example/", init],
      ["https://a.example/", {}],
    ]);
    expect(requests).toEqual([]);
  });

  it("with a body is sent with its headers, but without a Content-Length header", async () => {
    await put({ headers: { "content-type": "audio/wav", "Content-Length": "4", authorization: "Bearer t" } });
    expect(requests[0]).toMatchObject({
      method: "PUT",
      url: URL_OF_REQUEST,
      body: "text",
      responseType: "arraybuffer",
      withCredentials: false,
      headers: { "content-type": "audio/wav", authorization: "Bearer t" },
    });
    expect(requests[0]?.headers).not.toHaveProperty("content-length");
  });

  it('is a GET if no method is given, and includes cookies only if credentials is "include"', async () => {
    await xhrFetch()(new URL(URL_OF_REQUEST), { body: "x", credentials: "include" });
    await put({ credentials: "same-origin" });
    expect(requests.map(({ method, withCredentials }) => [method, withCredentials])).toEqual([
      ["GET", true],
      ["PUT", false],
    ]);
  });

  it("to a relative URL is resolved against the URL of the page", async () => {
    vi.stubGlobal("location", { href: "https://page.example/dir/index.html" });
    await xhrFetch()("api", { method: "PUT", body: "x" });
    expect(requests[0]?.url).toBe("https://page.example/dir/api");
  });

  it("with a stream as its body sends the whole stream", async () => {
    await put({ body: new Blob(["one ", "two"]).stream() });
    const [request] = requests;
    expect(await (request as Page & { body: Blob }).body.text()).toBe("one two");
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
    expect(response.status).toBe(201);
    expect(response.statusText).toBe("Fine");
    expect(response.url).toBe("https://api.example.com/v1/meetings/upload?a=b");
    expect([...response.headers]).toEqual([
      ["content-type", "text/plain"],
      ["x-a", "1: 2"],
    ]);
    expect(await response.text()).toBe("done");
  });

  it.each([204, 205, 304])("of status %d has no body", async (status) => {
    behaviour = { status, body: "ignored" };
    const response = await put();
    expect(response.status).toBe(status);
    expect(response.body).toBeNull();
  });

  it("of a status that Response does not have rejects, and never stays pending", async () => {
    behaviour = { status: 700 };
    expect(await rejection(put())).toBeInstanceOf(RangeError);
  });

  it("from another URL is refused, and the error shows only the origin of that URL", async () => {
    behaviour = { responseURL: "https://other.example/path?token=secret" };
    const error = await rejection(put());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe("XMLHttpRequest followed a redirect to https://other.example");
  });

  it("without a URL is accepted", async () => {
    behaviour = { responseURL: "" };
    expect((await put()).status).toBe(200);
  });

  it("that never arrives rejects with a TypeError, as with fetch", async () => {
    behaviour = "broken";
    const error = await rejection(put());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe("the connection failed");
  });
});

describe("the signal of an xhrFetch request", () => {
  it("that has already aborted prevents the request", async () => {
    expect(await rejection(put({ signal: AbortSignal.abort("before") }))).toBe("before");
    expect(requests).toEqual([]);
  });

  it("aborts a request that is under way, with its reason", async () => {
    behaviour = "silent";
    const controller = new AbortController();
    const result = rejection(put({ signal: controller.signal }));
    controller.abort("stop");
    expect(await result).toBe("stop");
    expect(requests[0]?.isAborted).toBe(true);
  });

  it("has no listener left after the response", async () => {
    const controller = new AbortController();
    await put({ signal: controller.signal });
    controller.abort();
    expect(requests[0]?.isAborted).toBe(false);
  });
});
