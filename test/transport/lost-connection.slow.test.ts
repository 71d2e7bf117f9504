/** Connections that are left open or broken. test/faults has the failures of each operation, at each stage. */
import { ServerError, TimeoutError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { collectGarbage } from "../support/collect-garbage.js";
import { clientAt, rawServer } from "../support/loopback.js";
import { failureOf, rejection } from "../support/recorder.js";

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
    ["stops within an error response", `${head("500 Internal Server Error", "content-length: 500")}{`],
  ];
  const [, , [, BODY], [, REFUSAL]] = SILENCES as [unknown, unknown, [string, string], [string, string]];

  it.each(SILENCES)("that %s causes an error after timeoutMs, and its connection is closed", async (_, written) => {
    const { origin, begun, isClosed } = await silent(written);
    const isRefusal = written === REFUSAL;
    let error: unknown;
    // On a busy machine, the first attempts may time out before the request is sent, or the headers arrive.
    const isOver = () => (isRefusal ? error instanceof ServerError : begun.mock.calls.length > 0);
    for (let timeoutMs = 40; !isOver(); timeoutMs *= 2) {
      error = await rejection(clientAt(origin, { timeoutMs }).webhooks.list());
      if (!(isRefusal && error instanceof ServerError)) expect(error).toBeInstanceOf(TimeoutError);
    }
    if (isRefusal) expect(error).toMatchObject({ status: 500, body: "{" });
    await isClosed();
  });

  it.each([
    ["within the body, and is aborted", BODY, true],
    ["within the body", BODY, false],
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

  it.each(SILENCES)("that %s is left at once if the caller aborts", async (_, written) => {
    const { origin, hasBegun, isClosed } = await silent(written);
    const controller = new AbortController();
    const call = rejection(clientAt(origin).webhooks.list({ signal: controller.signal }));
    await hasBegun();
    const reason = new Error("mine");
    controller.abort(reason);
    expect(await call).toBe(reason);
    await isClosed();
  });
});

it("an error response whose body breaks off causes the error of its status", async () => {
  const origin = await rawServer((socket) =>
    socket.end(`${head("404 Not Found", "content-length: 500")}{"error":{"co`),
  );
  const error = await rejection(clientAt(origin).webhooks.list());
  expect(error).toMatchObject({ name: "NotFoundError", status: 404, code: undefined, outcome: "rejected" });
});

it.each<[string, () => Response | Promise<Response>, cause: object]>([
  ["rejects", () => Promise.reject(new TypeError("m")), { name: "TypeError", message: "m" }],
  [
    "throws",
    () => {
      throw new TypeError("at once");
    },
    { message: "at once" },
  ],
  ["returns undefined", () => undefined as never, { message: "fetch returned no response" }],
  ["returns Response.error()", () => Response.error(), { message: "fetch returned no response" }],
  ["returns an object", () => ({}) as never, { message: "fetch returned no response" }],
])("a call whose fetch %s ends with a ConnectionError, with the cause", async (_, answer, cause) => {
  const request = { method: "GET", url: "https://api.example.com/v1/webhooks" };
  expect(await failureOf(answer)).toMatchObject({ name: "ConnectionError", cause, request });
});
