/** The requests of a subscription: URL, headers, other implementations of `fetch`, errors without secrets. */
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { subscribe } from "../../../src/webhooks/subscribe/subscribe.js";
import { httpServer } from "../../support/servers.js";
import { eventOf, fetchFrom } from "../events.js";
import { FAST, hear, noMore, STREAM, URL, whole } from "./hear.js";

const data = `data: ${JSON.stringify(eventOf(1))}\n\n`;

async function readAll(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const received: unknown[] = [];
  for await (const event of events) received.push(event);
  return received;
}

describe("the URL of a subscription", () => {
  it.each([
    ["that is not an absolute http(s) URL", ["/events", "nonsense", "ftp://example.com/", "shttp://example.com/", ""]],
    ["with credentials", ["https://user:pw@example.com/", "https://user@example.com/", "https://:pw@example.com/"]],
    ["that sends headers in the open", ["http://app.example.com/", "http://10.0.0.5/", "http://localhost.example.com"]],
  ])("a URL %s is refused", (_, urls) => {
    for (const url of urls) {
      expect(() => subscribe(url), url).toThrow(ConfigurationError);
      expect(() => subscribe(url)).toThrow("subscribe: url");
    }
  });

  it("http: is accepted for this machine, and for others with allowInsecureHttp", () => {
    expect(() => subscribe("http://events:3000/", { allowInsecureHttp: true })).not.toThrow();
    for (const host of ["localhost", "127.0.0.1", "[::1]", "app.localhost"]) {
      expect(() => subscribe(`http://${host}:3000/events`, { headers: { a: "b" } })).not.toThrow();
    }
  });
});

describe("the request of a subscription", () => {
  it("the request has the headers of the options, and a headers function is called for each connection", async () => {
    let token = 0;
    const { requests } = await hear([whole(FAST)], { headers: async () => ({ authorization: `Bearer ${++token}` }) });
    expect(requests.map((request) => request.headers.get("authorization"))).toEqual(["Bearer 1", "Bearer 2"]);
    expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
    const failure = new Error("no session");
    expect((await hear([], { headers: () => Promise.reject(failure) })).error).toBe(failure);
  });

  it("the global fetch is read at each connection, and nothing is sent before the first event is requested", async () => {
    const events = subscribe(URL);
    const answering = fetchFrom(noMore);
    vi.stubGlobal("fetch", answering);
    expect(answering.requests).toHaveLength(0);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(answering.requests).toHaveLength(1);
  });

  it.each<[what: string, request: unknown, init: object]>([
    ["an ordinary runtime", Request, { cache: "no-store", redirect: "manual" }],
    ["no Request", undefined, { redirect: "manual" }],
    ["a Request that does not know the option cache", class {}, { redirect: "manual" }],
  ])("fetch is called with the URL as a string, and no cached response is requested: %s", async (_, request, init) => {
    vi.stubGlobal("Request", request);
    const fetch = vi.fn(async (_url: string, _init: object) => noMore());
    await readAll(subscribe(new globalThis.URL(URL), { fetch }));
    const [[url, { headers: _headers, signal: _signal, ...others }]] = fetch.mock.calls as unknown as [
      [string, { headers: object; signal: object }],
    ];
    expect([url, others]).toEqual([URL, init]);
    await readAll(subscribe(URL, { fetch, credentials: "include" }));
    expect(fetch.mock.calls[1]?.[1]).toMatchObject({ credentials: "include" });
  });

  it.each([
    ["a line break", { authorization: "Bearer s3cret\r\nx" }],
    ["a character beyond Latin-1", { authorization: "Bearer s3cret 😀" }],
    ["an invalid name", { "bad name": "s3cret" }],
    ["a number", 5],
    ["a function that returns a number", () => 5],
  ])("headers with %s end the loop with a ConfigurationError that does not show the headers", async (_, headers) => {
    const { error, requests } = await hear([], { headers: headers as never });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(inspect(error, { showHidden: true })).not.toContain("s3cret");
    expect(requests).toHaveLength(0);
  });
});

it.each([
  ["the global fetch", async () => undefined],
  ["npm's undici", async () => (await import("undici")).fetch],
])("subscribe gets the events over HTTP, resumes, and ends: %s", async (_, load) => {
  const received: unknown[] = [];
  const url = await httpServer((request, response) => {
    received.push(request.headers["last-event-id"]);
    if (received.length > 2) response.writeHead(204).end();
    else response.writeHead(200, STREAM.headers).end(`${FAST}id: ${received.length}\n${data}`);
  });
  const fetch = await load();
  expect(await readAll(subscribe(url, { fetch, lastEventId: "0" }))).toEqual([eventOf(1), eventOf(1)]);
  expect(received).toEqual(["0", "1", "2"]);
});

it.each([["text"], [null]])("a body that is no stream of the web causes an error: %j", async (body) => {
  const response = { status: 200, ok: true, headers: new Headers(STREAM.headers), body };
  expect((await hear([() => response as never])).error).toMatchObject({ reason: "not_an_event" });
});

describe("the error that onReconnect receives", () => {
  /** The error that `onReconnect` receives if `fetch` fails with `failure`. */
  async function errorOf(failure: unknown) {
    const { reconnections } = await hear([() => Promise.reject(failure)]);
    return reconnections[0]?.error as Error & { cause?: Error & { code?: unknown } };
  }

  const coded = (code: unknown) => Object.assign(new Error("topsecret"), { code });

  it.each<[what: string, failure: unknown, code?: string]>([
    ["a code", coded("ECONNREFUSED"), "ECONNREFUSED"],
    ["a code in its cause", new TypeError("topsecret", { cause: coded("ENOTFOUND") }), "ENOTFOUND"],
    ["no code", new TypeError("topsecret")],
    ["a code with a lower-case letter", coded("xECONNREFUSED")],
    ["a code with text after it", coded("ECONNREFUSED topsecret")],
    ["a code that is not text", coded(["ECONNREFUSED"])],
    ["a failure that is not an error", "topsecret"],
    ["null", null],
  ])("the cause has the code only if it cannot contain a secret: %s", async (_, failure, code) => {
    const error = await errorOf(failure);
    expect(error.message.endsWith(`: ${code}`)).toBe(code !== undefined);
    expect(error).toMatchObject({ request: { method: "GET", url: "https://app.example.com/events" } });
    expect(error.cause).toMatchObject({ message: code ?? "the connection failed" });
    expect({ ...error.cause }).toEqual(code === undefined ? {} : { code });
    const shown = `${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}${String(error)}`;
    expect(shown).not.toContain("topsecret");
  });
});
