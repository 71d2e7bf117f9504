/** Connections that are left open or broken. test/faults has the failures of each operation, at each stage. */
import { ConnectionError, ServerError, TimeoutError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { clientAt, rawServer } from "../support/loopback.js";
import { clientOf, rejection, rejectionOf } from "../support/recorder.js";

/** A long limit for a busy machine. */
const PATIENCE = 60_000;

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, "content-type: application/json", ...headers, "", ""].join("\r\n");

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
