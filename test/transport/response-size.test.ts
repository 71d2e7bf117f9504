/** How much of a response is read. */
import { gzipSync } from "node:zlib";
import { NotetakerError, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientAt, httpServer } from "../support/loopback.js";
import { clientOf, rejectionOf } from "../support/recorder.js";

const LIMIT = 1_000;

/** JSON of exactly `bytes` bytes. */
const list = (bytes: number) => `[${" ".repeat(bytes - 2)}]`;

describe("maxResponseBytes", () => {
  it("accepts a body of exactly this length, and refuses one more byte", async () => {
    const { notetaker, seen } = clientOf((_, index) => new Response(list(LIMIT + index)), { maxResponseBytes: LIMIT });
    expect(await notetaker.webhooks.list()).toEqual([]);
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error.message).toContain(`the body has more than ${LIMIT} bytes (maxResponseBytes)`);
    expect(error).toMatchObject({ outcome: "accepted", retryable: false, attempts: 1 });
    expect(seen).toHaveLength(2);
  });

  it("counts bytes, not characters", async () => {
    const { notetaker } = clientOf(() => new Response(JSON.stringify(["é".repeat(400)])), { maxResponseBytes: 500 });
    await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
  });

  it("counts the decompressed bytes of a compressed body, and closes its connection", async () => {
    const closed = vi.fn();
    const bomb = gzipSync(Buffer.alloc(20_000_000, " "));
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.write(bomb);
    });
    const { webhooks } = clientAt(origin, { maxResponseBytes: 1_000_000 });
    await rejectionOf(ResponseValidationError, webhooks.list());
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 60_000);
  });

  it.each([200, 400] as const)("ends the reading of a body that never ends, with status %i", async (status) => {
    const closed = vi.fn();
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(status, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" ".repeat(100_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const { webhooks } = clientAt(origin, { maxResponseBytes: 100_000 });
    const error = await rejectionOf(NotetakerError, webhooks.list());
    const expected = { 200: ["ResponseValidationError", "accepted"], 400: ["BadRequestError", "rejected"] }[status];
    expect([error.name, error.outcome]).toEqual(expected);
    expect(JSON.stringify(error).length).toBeLessThan(64_000);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 60_000);
  });
});
