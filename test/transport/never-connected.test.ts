/** An error says that nothing was sent only if it is certain that nothing reached the service. */
import { generateKeyPairSync } from "node:crypto";
import { createServer as createTlsServer } from "node:tls";
import { ConnectionError, type FetchOptions, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { selfSigned } from "../support/certificate.js";
import { lostConnection } from "../support/failures.js";
import { clientAt, listening, rawServer } from "../support/loopback.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const bot = { meeting_url: "https://zoom.us/j/1" };

/** The error of a bot whose attempts all fail with this reason, and the number of requests. */
async function failedBot(thrown: unknown) {
  const { notetaker, seen } = clientOf(() => Promise.reject(thrown), { maxRetryDelayMs: 0 });
  const { outcome, retryable } = await rejectionOf(ConnectionError, notetaker.meetings.sendBot(bot));
  return { outcome, retryable, requests: seen.length };
}

describe("a connection that was never opened", () => {
  it("has the outcome not_sent if every address of the host refuses", async () => {
    // No program listens on port 2. A port that was free a moment ago could be taken by another test.
    for (const origin of ["http://127.0.0.1:2", "http://localhost:2"]) {
      const error = await rejectionOf(ConnectionError, clientAt(origin).meetings.sendBot(bot));
      expect(error).toMatchObject({ outcome: "not_sent", retryable: true, attempts: 1 });
      expect(error.message).toContain("ECONNREFUSED");
    }
  });

  it("has the outcome not_sent if fetch refuses the port", async () => {
    const error = await rejectionOf(ConnectionError, clientAt("http://127.0.0.1:1").meetings.sendBot(bot));
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true });
    expect(error.message).toBe("POST /meetings/bot failed: not connected: bad port");
  });

  it("has the outcome not_sent if the host is unknown", async () => {
    const client = clientAt("https://nobody.invalid");
    expect(await rejectionOf(ConnectionError, client.webhooks.list())).toMatchObject({ outcome: "not_sent" });
  });

  it("has the outcome not_sent if the certificate is refused", async () => {
    const { key, cert } = selfSigned(generateKeyPairSync("rsa", { modulusLength: 2048 }));
    let received = "";
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on("data", (data) => {
        received += data;
      });
    });
    server.on("tlsClientError", () => {});
    const client = clientAt((await listening(server)).replace("http:", "https:"));
    const error = await rejectionOf(ConnectionError, client.webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(received).toBe("");
  });

  it("has the outcome not_sent if the server speaks no TLS, or closes the connection during the handshake", async () => {
    for (const answer of ["HTTP/1.1 400 Bad Request\r\n\r\n", ""]) {
      const origin = await rawServer((socket) => void socket.end(answer));
      const client = clientAt(origin.replace("http:", "https:"));
      const error = await rejectionOf(ConnectionError, client.webhooks.list());
      expect(error).toMatchObject({ outcome: "not_sent" });
      if (answer !== "") expect(error.message).toContain("; the server may speak http, not https");
    }
  });

  it("names the emulator's fetch if a client has the emulator's URL without it", async () => {
    const { clientOptions } = createEmulator();
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND api.notetaker.test"), { code: "ENOTFOUND" });
    const network = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const notetaker = new Notetaker({ ...clientOptions, fetch: network, maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toContain("only the emulator's own fetch reaches this host");
    expect(await new Notetaker(clientOptions).webhooks.list()).toHaveLength(1);
  });

  // A real proxy is in other-fetches.test.ts. These are what Bun 1.4 and Deno 2.9 throw.
  it.each([
    Object.assign(new Error("Proxy refused to open a tunnel: 407 Proxy Authentication Required"), {
      code: "ERR_PROXY_TUNNEL",
    }),
    new TypeError("fetch failed", {
      cause: new Error(
        "error sending request for url (https://api.example.com/v1): client error (Connect): proxy authentication required",
      ),
    }),
  ])("has the outcome not_sent if a proxy refuses the tunnel: %s", async (thrown) => {
    expect(await failedBot(thrown)).toMatchObject({ outcome: "not_sent" });
  });

  it.each([
    // Chromium, Firefox, and a dispatcher of another version of undici.
    new TypeError("Failed to execute 'fetch' on 'Window': 'soon' is not a valid enum value of type RequestCache."),
    new TypeError("Window.fetch: 'soon' (value of 'cache' member of RequestInit) is not a valid value."),
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("invalid onRequestStart method"), { code: "UND_ERR_INVALID_ARG" }),
    }),
  ])("has the outcome not_sent, and is not retried, if fetch refuses its init: %s", async (thrown) => {
    expect(await failedBot(thrown)).toEqual({ outcome: "not_sent", retryable: false, requests: 1 });
  });

  it.each<[string, FetchOptions]>([
    ["referrer", { referrer: "::::" }],
    ["credentials", { credentials: "soon" }],
    ["mode", { mode: "navigate" }],
    ["cache", { cache: "soon" }],
    ["cache of another mode", { cache: "only-if-cached" }],
    ["dispatcher", { dispatcher: {} }],
  ])("has the outcome not_sent if this machine's fetch refuses %s", async (_, fetchOptions) => {
    let requests = 0;
    const origin = await rawServer(() => {
      requests += 1;
    });
    const call = clientAt(origin, { fetchOptions }).webhooks.list();
    const error = await rejectionOf(ConnectionError, call);
    expect(error).toMatchObject({ outcome: "not_sent", retryable: false, attempts: 1 });
    expect(error.message).toContain("fetch refused its options");
    expect(requests).toBe(0);
  });

  it("has the outcome not_sent if the server refused the HTTP/2 stream, and unknown if it reset the stream", async () => {
    const streamError = (message: string, code = "ERR_HTTP2_STREAM_ERROR") =>
      new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
    const refused = streamError("Stream closed with error code NGHTTP2_REFUSED_STREAM");
    const closing = streamError("New streams cannot be created after receiving a GOAWAY", "ERR_HTTP2_GOAWAY_SESSION");
    for (const thrown of [refused, closing]) {
      expect(await failedBot(thrown)).toMatchObject({ outcome: "not_sent", retryable: true });
    }
    const reset = streamError("Stream closed with error code NGHTTP2_INTERNAL_ERROR");
    const goneAway = streamError('HTTP/2: "GOAWAY" frame received with code 0', "UND_ERR_SOCKET");
    for (const thrown of [reset, goneAway]) expect(await failedBot(thrown)).toMatchObject({ outcome: "unknown" });
  });

  it("has the outcome unknown if the request itself was answered with a 407, which undici refuses", async () => {
    const cause = new Error("proxy authentication required");
    expect(await failedBot(new TypeError("fetch failed", { cause }))).toMatchObject({ outcome: "unknown" });
  });

  it.each([
    ...["ECONNREFUSED", "ENOTFOUND", "ENETUNREACH", "EHOSTUNREACH", "EAI_AGAIN", "CERT_HAS_EXPIRED"],
    ...["ERR_TLS_CERT_ALTNAME_INVALID", "UND_ERR_CONNECT_TIMEOUT"],
  ])(
    "has the outcome not_sent after %s, and is retried, even for a call that is not retried after other failures",
    async (code) => {
      const { notetaker, seen } = clientOf(
        (_, index) =>
          index === 0 ? Promise.reject(lostConnection(code)) : json({ meeting_id: "mtg_1", status: "scheduling" }, 202),
        { maxRetryDelayMs: 0 },
      );
      await notetaker.meetings.sendBot(bot);
      expect(seen).toHaveLength(2);
    },
  );
});

describe("a code of a connection that was never made", () => {
  const codes = ["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL"];
  const failure = (code: string, syscall: string) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
  const calls: [string, (client: Notetaker) => PromiseLike<unknown>][] = [
    ["a bot", (client) => client.meetings.sendBot(bot)],
    ["an upload", (client) => client.meetings.upload(new Blob(["x"], { type: "audio/wav" }))],
    [
      "a webhook",
      (client) => client.webhooks.create({ url: "https://a.example/", events: ["meeting.transcript_ready"] }),
    ],
  ];

  it.each(calls)("says nothing about an open connection: %s is not sent again", async (_, send) => {
    for (const code of codes) {
      for (const syscall of ["read", "write", "writev", "shutdown"]) {
        const { notetaker, seen } = clientOf(() => Promise.reject(failure(code, syscall)), { maxRetryDelayMs: 0 });
        const { outcome, retryable } = await rejectionOf(ConnectionError, send(notetaker));
        expect([outcome, retryable, seen.length], `${syscall} ${code}`).toEqual(["unknown", false, 1]);
      }
    }
  });

  it.each(["ECONNREFUSED", "EHOSTUNREACH", "ETIMEDOUT", "EACCES"])(
    "has the outcome not_sent after connect %s",
    async (code) => {
      expect(await failedBot(failure(code, "connect"))).toMatchObject({ outcome: "not_sent", requests: 3 });
    },
  );
});

describe("an upload of a stream, which can be read only once,", () => {
  it("is not retried if no connection was opened, but its error is retryable", async () => {
    const { notetaker, seen } = clientOf(() => Promise.reject(lostConnection("ENETUNREACH")));
    const upload = notetaker.meetings.upload(new Blob(["x"]).stream(), { contentType: "audio/wav" });
    const error = await rejectionOf(ConnectionError, upload);
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true, attempts: 1 });
    expect(seen).toHaveLength(1);
  });
});

describe("a connection that broke", () => {
  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"])(
    "has the outcome unknown after %s",
    async (code) => {
      expect(await failedBot(lostConnection(code))).toEqual({ outcome: "unknown", retryable: false, requests: 1 });
    },
  );
});

describe("the message of a failed connection", () => {
  const caused = (message: string, cause: unknown) => new TypeError(message, { cause });
  const deep = caused("1", caused("2", caused("3", caused("4", caused("5", new Error("connect", { cause: "6" }))))));
  const circle = new Error("round");
  circle.cause = circle;
  const refused = { name: "Error", message: "nobody home", code: "ECONNREFUSED" };
  const several = new AggregateError([lostConnection("ECONNRESET", "first"), new Error("b")]);

  it.each<[string, unknown, string]>([
    ["the innermost error and its code", lostConnection("ECONNRESET", "socket hang up"), "socket hang up (ECONNRESET)"],
    ["the code only once", lostConnection("ECONNRESET"), "read ECONNRESET"],
    ["no numeric code", Object.assign(new Error("lost"), { code: 23 }), "lost"],
    ["the first of several errors", caused("x", several), "first (ECONNRESET)"],
    ["no error deeper than the fifth cause", deep, "5"],
    ["an error that is its own cause", circle, "round"],
    ["a string instead of an error", "gone", "gone"],
    ["undefined instead of an error", undefined, "undefined"],
    ["an error of another realm", { message: "fetch failed", cause: refused }, "nobody home (ECONNREFUSED)"],
  ])("shows %s", async (_, thrown, reason) => {
    const { notetaker } = clientOf(() => Promise.reject(thrown), { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error.message.endsWith(`: ${reason}`)).toBe(true);
    expect(error.outcome).toBe(reason.includes("REFUSED") ? "not_sent" : "unknown");
  });

  it("says at which stage the connection failed", async () => {
    const { notetaker } = clientOf(() => Promise.reject(lostConnection("EPIPE")), { maxRetries: 0 });
    const { message } = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(message).toBe("GET /webhooks failed: connection closed before the response was complete: read EPIPE");
  });
});
