/** An error says that nothing was sent only if it is certain that nothing reached the service. */
import { ConnectionError, type FetchOptions, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { lostConnection } from "../support/failures.js";
import { clientAt, rawServer } from "../support/loopback.js";
import { clientOf, failureOf, rejectionOf } from "../support/recorder.js";

type Call = (notetaker: Notetaker) => PromiseLike<unknown>;
const sendBot: Call = ({ meetings }) => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
const list: Call = ({ webhooks }) => webhooks.list();

/** The error of a call whose attempts all fail with this reason, and the number of requests. */
async function failed(thrown: unknown, call = sendBot) {
  const { notetaker, seen } = clientOf(() => Promise.reject(thrown), { maxRetryDelayMs: 0 });
  const { outcome, retryable } = await rejectionOf(ConnectionError, call(notetaker));
  return { outcome, retryable, requests: seen.length };
}
const SENT_AGAIN = { outcome: "not_sent", retryable: true, requests: 3 };
const NOT_AGAIN = { outcome: "unknown", retryable: false, requests: 1 };
const REFUSED_INIT = { outcome: "not_sent", retryable: false, requests: 1 };

const caused = (message: string, fields: object = {}) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), fields) });
const h2 = (message: string, code = "ERR_HTTP2_STREAM_ERROR") => caused(message, { code });
const ofSyscall = (syscall: string, code: string) => caused(`${syscall} ${code}`, { code, syscall });

describe("on this machine, a connection that was never opened has the outcome not_sent:", () => {
  it.each([
    // No program listens on port 2. A port that was free a moment ago could be taken by another test.
    ["the host refuses", "http://127.0.0.1:2", sendBot],
    ["every address of the host refuses", "http://localhost:2", sendBot],
    ["fetch refuses the port", "http://127.0.0.1:1", sendBot],
    ["the host is unknown", "https://nobody.invalid", list],
  ])("%s", async (_, origin, call) => {
    const error = await rejectionOf(ConnectionError, call(clientAt(origin)));
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true, attempts: 1 });
  });

  it("the server speaks no TLS, or closes the connection during the handshake", async () => {
    for (const answer of ["HTTP/1.1 400 Bad Request\r\n\r\n", ""]) {
      const origin = await rawServer((socket) => void socket.end(answer));
      const client = clientAt(origin.replace("http:", "https:"));
      const error = await rejectionOf(ConnectionError, client.webhooks.list());
      expect(error).toMatchObject({ outcome: "not_sent" });
      if (answer !== "") expect(error.message).toContain("; the server may speak http, not https");
    }
  });

  it.each<[string, FetchOptions]>([
    ["referrer", { referrer: "::::" }],
    ["credentials", { credentials: "soon" }],
    ["mode", { mode: "navigate" }],
    ["cache", { cache: "soon" }],
    ["cache of another mode", { cache: "only-if-cached" }],
    ["dispatcher", { dispatcher: {} }],
  ])("fetch refuses the option %s, and the call is not retried", async (_, fetchOptions) => {
    let requests = 0;
    const origin = await rawServer(() => {
      requests += 1;
    });
    const error = await rejectionOf(ConnectionError, clientAt(origin, { fetchOptions }).webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent", retryable: false, attempts: 1 });
    expect(error.message).toContain("fetch refused its options");
    expect(requests).toBe(0);
  });
});

it("a client with the emulator's URL, but without its fetch, says so", async () => {
  const { clientOptions } = createEmulator();
  const network = () => Promise.reject(caused("getaddrinfo ENOTFOUND api.notetaker.test", { code: "ENOTFOUND" }));
  const notetaker = new Notetaker({ ...clientOptions, fetch: network, maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
  expect(error).toMatchObject({ outcome: "not_sent" });
  expect(error.message).toContain("only the emulator's own fetch reaches this host");
  expect(await new Notetaker(clientOptions).webhooks.list()).toHaveLength(1);
});

describe("a bot after a failure of fetch", () => {
  const CONNECT = ["ECONNREFUSED", "ENOTFOUND", "ENETUNREACH", "EHOSTUNREACH", "EAI_AGAIN"];
  const TLS = ["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "UND_ERR_CONNECT_TIMEOUT"];
  const BROKEN = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"];
  const tunnel =
    "error sending request for url (https://api.example.com/v1): client error (Connect): proxy authentication required";

  it.each<[what: string, thrown: unknown, expected: object]>([
    ...[...CONNECT, ...TLS].map((code): [string, unknown, object] => [code, lostConnection(code), SENT_AGAIN]),
    ...["ECONNREFUSED", "EHOSTUNREACH", "ETIMEDOUT", "EACCES"].map((code): [string, unknown, object] => [
      `connect ${code}`,
      ofSyscall("connect", code),
      SENT_AGAIN,
    ]),
    ...BROKEN.map((code): [string, unknown, object] => [code, lostConnection(code), NOT_AGAIN]),
    // A real proxy is in other-fetches.test.ts. These are what Bun 1.4 and Deno 2.9 throw.
    ["a tunnel that Bun's proxy refuses", Object.assign(new Error("407"), { code: "ERR_PROXY_TUNNEL" }), SENT_AGAIN],
    ["a tunnel that Deno's proxy refuses", caused(tunnel), SENT_AGAIN],
    ["a 407 for the request itself, which undici refuses", caused("proxy authentication required"), NOT_AGAIN],
    // Chromium, Firefox, and a dispatcher of another version of undici.
    [
      "Chromium's refusal of a wrong init",
      new TypeError("Failed to execute 'fetch' on 'Window': 'soon' is not a valid enum value of type RequestCache."),
      REFUSED_INIT,
    ],
    [
      "Firefox's refusal of a wrong init",
      new TypeError("Window.fetch: 'soon' (value of 'cache' member of RequestInit) is not a valid value."),
      REFUSED_INIT,
    ],
    [
      "the refusal of a dispatcher of another version of undici",
      caused("invalid onRequestStart method", { code: "UND_ERR_INVALID_ARG" }),
      REFUSED_INIT,
    ],
    ["a refused HTTP/2 stream", h2("Stream closed with error code NGHTTP2_REFUSED_STREAM"), SENT_AGAIN],
    ["a closing HTTP/2 session", h2("New streams cannot be created", "ERR_HTTP2_GOAWAY_SESSION"), SENT_AGAIN],
    ["a reset HTTP/2 stream", h2("Stream closed with error code NGHTTP2_INTERNAL_ERROR"), NOT_AGAIN],
    ["a GOAWAY", h2('HTTP/2: "GOAWAY" frame received with code 0', "UND_ERR_SOCKET"), NOT_AGAIN],
  ])("is sent again only if nothing was sent: %s", async (_, thrown, expected) => {
    expect(await failed(thrown)).toEqual(expected);
  });

  it.each<[string, Call]>([
    ["a bot", sendBot],
    ["an upload", ({ meetings }) => meetings.upload(new Blob(["x"], { type: "audio/wav" }))],
    [
      "a webhook",
      ({ webhooks }) => webhooks.create({ url: "https://a.example/", events: ["meeting.transcript_ready"] }),
    ],
  ])("is not sent again if the code is of an open connection, nor is %s", async (_, call) => {
    for (const code of ["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL"]) {
      for (const syscall of ["read", "write", "writev", "shutdown"]) {
        expect(await failed(ofSyscall(syscall, code), call), `${syscall} ${code}`).toEqual(NOT_AGAIN);
      }
    }
  });
});

it("an upload of a stream is not retried if no connection was opened, but its error is retryable", async () => {
  const upload: Call = ({ meetings }) => meetings.upload(new Blob(["x"]).stream(), { contentType: "audio/wav" });
  expect(await failed(lostConnection("ENETUNREACH"), upload)).toEqual({ ...SENT_AGAIN, requests: 1 });
});

describe("the message of a failed connection", () => {
  const within = (message: string, cause: unknown) => new TypeError(message, { cause });
  const deep = within("1", within("2", within("3", within("4", within("5", new Error("connect", { cause: "6" }))))));
  const circle = new Error("round");
  circle.cause = circle;
  const refused = { name: "Error", message: "nobody home", code: "ECONNREFUSED" };
  const several = new AggregateError([lostConnection("ECONNRESET", "first"), new Error("b")]);

  it.each<[string, unknown, string]>([
    ["the innermost error and its code", lostConnection("ECONNRESET", "socket hang up"), "socket hang up (ECONNRESET)"],
    ["the code only once", lostConnection("ECONNRESET"), "read ECONNRESET"],
    ["no numeric code", Object.assign(new Error("lost"), { code: 23 }), "lost"],
    ["the first of several errors", within("x", several), "first (ECONNRESET)"],
    ["no error deeper than the fifth cause", deep, "5"],
    ["an error that is its own cause", circle, "round"],
    ["a string instead of an error", "gone", "gone"],
    ["undefined instead of an error", undefined, "undefined"],
    ["an error of another realm", { message: "fetch failed", cause: refused }, "nobody home (ECONNREFUSED)"],
  ])("shows %s", async (_, thrown, reason) => {
    const error = await failureOf(() => Promise.reject(thrown));
    expect(error.message.endsWith(`: ${reason}`)).toBe(true);
    expect(error.outcome).toBe(reason.includes("REFUSED") ? "not_sent" : "unknown");
  });
});
