/** A real connection that breaks, at each stage of an exchange. */
import type { Socket } from "node:net";
import { ConnectionError, ServerError, TimeoutError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { lostConnection } from "../support/failures.js";
import { clientAt, closedPort, rawServer } from "../support/loopback.js";
import { clientOf, rejection, rejectionOf } from "../support/recorder.js";

/** A long limit for a busy machine. */
const PATIENCE = 10_000;

const BODY = JSON.stringify([]);
const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, "content-type: application/json", ...headers, "", ""].join("\r\n");

/** The stages at which the connection breaks, with the bytes that are written before. */
const DEATHS: [string, string][] = [
  ["before the headers", ""],
  ["within the headers", "HTTP/1.1 200 OK\r\ncontent-ty"],
  ["after the headers", head("200 OK", `content-length: ${BODY.length}`)],
  ["within the body", head("200 OK", "content-length: 500") + BODY],
  ["between two chunks", `${head("200 OK", "transfer-encoding: chunked")}1\r\n[\r\n`],
  ["within a chunk", `${head("200 OK", "transfer-encoding: chunked")}50\r\n[`],
];
const ENDINGS: [string, (socket: Socket) => void][] = [
  ["ends", (socket) => socket.end()],
  ["is reset", (socket) => socket.resetAndDestroy()],
];

describe.each(ENDINGS)("a connection that %s", (_, die) => {
  it.each(DEATHS)("causes a ConnectionError with a cause: %s", async (_stage, written) => {
    let connections = 0;
    const origin = await rawServer((socket) => {
      connections += 1;
      socket.write(written, () => setTimeout(() => die(socket), 5));
    });
    const error = await rejectionOf(ConnectionError, clientAt(origin).webhooks.list());
    expect(error).toMatchObject({ outcome: "unknown", retryable: true, attempts: 1 });
    expect(error.message).toMatch(/^GET \/webhooks failed: connection closed before the response was complete: \S/);
    expect(error.message).not.toMatch(/[\r\n]|undefined|\[object/);
    expect(error.cause).toBeInstanceOf(Error);
    expect(connections).toBe(1);
  });

  it.each(DEATHS)(
    "is not followed by a second request if the call may not be repeated: %s",
    async (_stage, written) => {
      let connections = 0;
      const origin = await rawServer((socket) => {
        connections += 1;
        socket.write(written, () => setTimeout(() => die(socket), 5));
      });
      const client = clientAt(origin, { maxRetries: 2 });
      const call = client.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
      expect(await rejectionOf(ConnectionError, call)).toMatchObject({
        outcome: "unknown",
        retryable: false,
        attempts: 1,
      });
      expect(connections).toBe(1);
    },
  );

  it.each(DEATHS)("is followed by a retry of a read: %s", async (_stage, written) => {
    let connections = 0;
    const origin = await rawServer((socket) => {
      connections += 1;
      if (connections > 1) socket.end(head("200 OK", `content-length: ${BODY.length}`) + BODY);
      else socket.write(written, () => setTimeout(() => die(socket), 5));
    });
    expect(await clientAt(origin, { maxRetries: 1 }).webhooks.list()).toEqual([]);
    expect(connections).toBe(2);
  });
});

describe("a silent server", () => {
  const SILENCES: [string, string][] = [
    ["never responds", ""],
    ["stops after the headers", head("200 OK", "content-length: 500")],
    ["stops within the body", `${head("200 OK", "content-length: 500")}[`],
  ];
  const REFUSAL = `${head("500 Internal Server Error", "content-length: 500")}{`;

  it.each(SILENCES)("that %s causes an error after timeoutMs, and its connection is closed", async (_, written) => {
    const closed = vi.fn();
    let connections = 0;
    const origin = await rawServer((socket) => {
      connections += 1;
      socket.on("close", closed);
      socket.write(written);
    });
    // On a busy machine, the first attempts may time out before the request is sent.
    for (let timeoutMs = 40; connections === 0; timeoutMs *= 2) {
      await rejectionOf(TimeoutError, clientAt(origin, { timeoutMs }).webhooks.list());
    }
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
  });

  it("that stops within an error response causes the error of the status", async () => {
    const closed = vi.fn();
    const origin = await rawServer((socket) => {
      socket.on("close", closed);
      socket.write(REFUSAL);
    });
    // On a busy machine, the first attempts may time out before the headers arrive.
    let error: unknown;
    for (let timeoutMs = 40; error === undefined || error instanceof TimeoutError; timeoutMs *= 2) {
      error = await rejection(clientAt(origin, { timeoutMs }).webhooks.list());
    }
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 500, body: "{" });
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
  });

  it("that stops within the body loses its connection, even if the request was garbage-collected", async () => {
    for (const [written, abort] of [
      [SILENCES[2]![1], true],
      [SILENCES[2]![1], false],
      [REFUSAL, false],
    ] as const) {
      const [closed, begun] = [vi.fn(), vi.fn()];
      const origin = await rawServer((socket) => {
        socket.on("close", closed);
        socket.write(written, begun);
      });
      const controller = new AbortController();
      const options = { signal: controller.signal, timeoutMs: abort ? 10_000 : 300 };
      const call = rejection(clientAt(origin).webhooks.list(options));
      await vi.waitFor(() => expect(begun).toHaveBeenCalled(), PATIENCE);
      for (let round = 0; round < 3; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collectGarbage();
      }
      if (abort) controller.abort(new Error("mine"));
      await call;
      await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
    }
  });

  it.each([...SILENCES, ["stops within an error response", REFUSAL]])(
    "that %s is left at once if the caller aborts",
    async (_, written) => {
      const [closed, begun] = [vi.fn(), vi.fn()];
      const origin = await rawServer((socket) => {
        socket.on("close", closed);
        socket.write(written);
        begun();
      });
      const controller = new AbortController();
      const call = rejection(clientAt(origin).webhooks.list({ signal: controller.signal }));
      await vi.waitFor(() => expect(begun).toHaveBeenCalled(), PATIENCE);
      const reason = new Error("mine");
      controller.abort(reason);
      expect(await call).toBe(reason);
      await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
    },
  );
});

describe("an error response whose body breaks off", () => {
  it("causes the error of its status", async () => {
    const origin = await rawServer((socket) =>
      socket.end(`${head("404 Not Found", "content-length: 500")}{"error":{"co`),
    );
    await expect(clientAt(origin).webhooks.list()).rejects.toMatchObject({
      name: "NotFoundError",
      status: 404,
      code: undefined,
      outcome: "rejected",
    });
  });
});

describe("a body that is cut although HTTP is complete", () => {
  it("causes a ResponseValidationError with the status and the received text", async () => {
    const origin = await rawServer((socket) => socket.end(`${head("200 OK", "connection: close")}[{"id":"whk_1"`));
    await expect(clientAt(origin).webhooks.list()).rejects.toMatchObject({
      name: "ResponseValidationError",
      status: 200,
      outcome: "accepted",
      body: '[{"id":"whk_1"',
    });
  });
});

describe("a response that is not HTTP", () => {
  it.each(["garbage\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", head("200 OK", "content-length: -5"), "\0\0\0\0"])(
    "causes a ConnectionError: %j",
    async (text) => {
      const origin = await rawServer((socket) => socket.end(text));
      expect(await rejectionOf(ConnectionError, clientAt(origin).webhooks.list())).toMatchObject({
        outcome: "unknown",
      });
    },
  );
});

describe("a connection that could not be opened", () => {
  it("causes an error that says that nothing was sent", async () => {
    const error = await rejectionOf(ConnectionError, clientAt(await closedPort()).webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true, attempts: 1 });
    expect(error.message).toMatch(/ECONNREFUSED/);
  });

  it("has the outcome not_sent if every address of the host refuses", async () => {
    const port = new URL(await closedPort()).port;
    const error = await rejectionOf(ConnectionError, clientAt(`http://localhost:${port}`).webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toMatch(/ECONNREFUSED/);
  });

  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"])(
    "has the outcome not_sent with the code %s",
    async (code) => {
      const { notetaker } = clientOf(() => Promise.reject(lostConnection(code)), { maxRetries: 0 });
      await expect(notetaker.webhooks.list()).rejects.toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
    },
  );
});

const BROKEN_OFF = "connection closed before the response was complete";

describe("a failure of fetch", () => {
  it("becomes a ConnectionError with the thrown value as its cause", async () => {
    const thrown = new TypeError("Failed to fetch");
    const { notetaker } = clientOf(() => Promise.reject(thrown), { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error.cause).toMatchObject({ name: "TypeError", message: "Failed to fetch" });
    expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/webhooks" });
    expect(error.message).toBe(
      "GET /webhooks failed: connection closed before the response was complete: Failed to fetch",
    );
  });

  it.each([
    ["a string", "boom", `${BROKEN_OFF}: boom`],
    ["undefined", undefined, `${BROKEN_OFF}: undefined`],
    [
      "an error of another realm",
      {
        name: "TypeError",
        message: "fetch failed",
        cause: { name: "Error", message: "nobody home", code: "ECONNREFUSED" },
      },
      "not connected: nobody home (ECONNREFUSED)",
    ],
    [
      "several errors at once",
      new AggregateError([lostConnection("ECONNRESET", "first")], ""),
      `${BROKEN_OFF}: first (ECONNRESET)`,
    ],
    [
      "an error that is its own cause",
      Object.assign(new Error("round"), { cause: undefined as unknown }),
      `${BROKEN_OFF}: round`,
    ],
  ])("is described in the message: %s", async (_, thrown, why) => {
    if (why.endsWith("round")) (thrown as Error).cause = thrown;
    const { notetaker } = clientOf(() => Promise.reject(thrown), { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error.message).toBe(`GET /webhooks failed: ${why}`);
  });

  it("becomes a ConnectionError even if fetch throws synchronously", async () => {
    const { notetaker } = clientOf(
      () => {
        throw new TypeError("at once");
      },
      { maxRetries: 0 },
    );
    expect((await rejectionOf(ConnectionError, notetaker.webhooks.list())).message).toContain("at once");
  });

  it.each([
    ["undefined", undefined],
    ["Response.error()", Response.error()],
    ["an object", {}],
  ])("becomes a ConnectionError if fetch returns no response: %s", async (_, answer) => {
    const { notetaker } = clientOf(() => answer as Response, { maxRetries: 0 });
    expect((await rejectionOf(ConnectionError, notetaker.webhooks.list())).message).toContain("no response");
  });
});
