/** A real connection that breaks, at each stage of an exchange. */
import type { Socket } from "node:net";
import { ConnectionError, ServerError, TimeoutError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { clientAt, rawServer } from "../support/loopback.js";
import { clientOf, rejection, rejectionOf } from "../support/recorder.js";

/** A long limit for a busy machine. */
const PATIENCE = 60_000;

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

/** A server that writes these bytes to its first connection, which then breaks; it answers any further one. */
async function breaking(written: string, die: (socket: Socket) => void) {
  const count = { connections: 0 };
  const origin = await rawServer((socket) => {
    count.connections += 1;
    if (count.connections > 1) socket.end(head("200 OK", `content-length: ${BODY.length}`) + BODY);
    else socket.write(written, () => setTimeout(() => die(socket), 5));
  });
  return { origin, count };
}

describe.each(ENDINGS)("a connection that %s", (_, die) => {
  it.each(DEATHS)("causes a ConnectionError with a cause: %s", async (_stage, written) => {
    const { origin, count } = await breaking(written, die);
    const error = await rejectionOf(ConnectionError, clientAt(origin).webhooks.list());
    expect(error).toMatchObject({ outcome: "unknown", retryable: true, attempts: 1 });
    expect(error.message).not.toMatch(/[\r\n]|undefined|\[object/);
    expect(error.cause).toBeInstanceOf(Error);
    expect(count.connections).toBe(1);
  });

  it.each(DEATHS)(
    "is not followed by a second request if the call may not be repeated: %s",
    async (_stage, written) => {
      const { origin, count } = await breaking(written, die);
      const call = clientAt(origin, { maxRetries: 2 }).meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
      const expected = { outcome: "unknown", retryable: false, attempts: 1 };
      expect(await rejectionOf(ConnectionError, call)).toMatchObject(expected);
      expect(count.connections).toBe(1);
    },
  );

  it.each(DEATHS)("is followed by a retry of a read: %s", async (_stage, written) => {
    const { origin, count } = await breaking(written, die);
    expect(await clientAt(origin, { maxRetries: 1 }).webhooks.list()).toEqual([]);
    expect(count.connections).toBe(2);
  });
});

/** A server that writes these bytes to each connection, and then nothing more. */
async function silent(written: string) {
  const [closed, begun] = [vi.fn(), vi.fn()];
  const origin = await rawServer((socket) => {
    socket.on("close", closed);
    socket.write(written, begun);
    if (written === "") begun();
  });
  const wasSeen = (what: typeof closed) => vi.waitFor(() => expect(what).toHaveBeenCalled(), PATIENCE);
  return { origin, begun, hasBegun: () => wasSeen(begun), isClosed: () => wasSeen(closed) };
}

describe("a silent server", () => {
  const SILENCES: [string, string][] = [
    ["never responds", ""],
    ["stops after the headers", head("200 OK", "content-length: 500")],
    ["stops within the body", `${head("200 OK", "content-length: 500")}[`],
  ];
  const REFUSAL = `${head("500 Internal Server Error", "content-length: 500")}{`;

  it.each(SILENCES)("that %s causes an error after timeoutMs, and its connection is closed", async (_, written) => {
    const { origin, begun, isClosed } = await silent(written);
    // On a busy machine, the first attempts may time out before the request is sent.
    for (let timeoutMs = 40; begun.mock.calls.length === 0; timeoutMs *= 2) {
      await rejectionOf(TimeoutError, clientAt(origin, { timeoutMs }).webhooks.list());
    }
    await isClosed();
  });

  it("that stops within an error response causes the error of the status", async () => {
    const { origin, isClosed } = await silent(REFUSAL);
    // On a busy machine, the first attempts may time out before the headers arrive.
    let error: unknown;
    for (let timeoutMs = 40; error === undefined || error instanceof TimeoutError; timeoutMs *= 2) {
      error = await rejection(clientAt(origin, { timeoutMs }).webhooks.list());
    }
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 500, body: "{" });
    await isClosed();
  });

  it.each([
    ["within the body, and is aborted", SILENCES[2]![1], true],
    ["within the body", SILENCES[2]![1], false],
    ["within an error response", REFUSAL, false],
  ])("that stops %s loses its connection, even if the request was garbage-collected", async (_, written, abort) => {
    const { origin, begun, hasBegun, isClosed } = await silent(written);
    const controller = new AbortController();
    // On a busy machine, the first attempts may time out before the request is sent.
    for (let timeoutMs = 300; begun.mock.calls.length === 0; timeoutMs *= 2) {
      const options = { signal: controller.signal, timeoutMs: abort ? PATIENCE : timeoutMs };
      const call = rejection(clientAt(origin).webhooks.list(options));
      if (abort) await hasBegun();
      for (let round = 0; round < 3; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collectGarbage();
      }
      if (abort) controller.abort(new Error("mine"));
      await call;
    }
    await isClosed();
  });

  it.each([...SILENCES, ["stops within an error response", REFUSAL]])(
    "that %s is left at once if the caller aborts",
    async (_, written) => {
      const { origin, hasBegun, isClosed } = await silent(written);
      const controller = new AbortController();
      const call = rejection(clientAt(origin).webhooks.list({ signal: controller.signal }));
      await hasBegun();
      const reason = new Error("mine");
      controller.abort(reason);
      expect(await call).toBe(reason);
      await isClosed();
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

describe("a failure of fetch", () => {
  it("becomes a ConnectionError with the thrown value as its cause", async () => {
    const { notetaker } = clientOf(() => Promise.reject(new TypeError("Failed to fetch")), { maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error.cause).toMatchObject({ name: "TypeError", message: "Failed to fetch" });
    expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/webhooks" });
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
