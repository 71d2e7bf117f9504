/** How much of a response is read. */
import { gzipSync } from "node:zlib";
import { ApiError, BadRequestError, RateLimitedError, ResponseValidationError } from "notetaker-sdk";
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
    const before = process.memoryUsage().rss;
    await rejectionOf(ResponseValidationError, webhooks.list());
    expect(process.memoryUsage().rss - before).toBeLessThan(20_000_000);
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 10_000);
  });

  it("ends the reading of a body that never ends", async () => {
    const closed = vi.fn();
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" ".repeat(10_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    await rejectionOf(ResponseValidationError, clientAt(origin, { maxResponseBytes: 100_000 }).webhooks.list());
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 10_000);
  });

  it("does not apply to a method without a result, which does not read the body", async () => {
    const closed = vi.fn();
    const origin = await httpServer((request, response) => {
      request.socket.on("close", closed);
      response.writeHead(200);
      const timer = setInterval(() => response.write(" ".repeat(10_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(await clientAt(origin).webhooks.delete("whk_1")).toBeUndefined();
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 10_000);
  });

  it("does not change the error class of an error response that is too long", async () => {
    const origin = await httpServer((_request, response) => {
      response.writeHead(400, { "content-type": "text/html" });
      const timer = setInterval(() => response.write("x".repeat(100_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const error = await rejectionOf(BadRequestError, clientAt(origin, { maxResponseBytes: 1_000 }).webhooks.list());
    expect(error).toMatchObject({ status: 400, outcome: "rejected" });
    expect(JSON.stringify(error).length).toBeLessThan(64_000);
  });
});

it("an error response whose body stalls rejects with the error of its status, within timeoutMs", async () => {
  const statuses = [400, 401, 404, 429, 503];
  const closed = vi.fn();
  const origin = await httpServer((request, response) => {
    request.socket.on("close", closed);
    const status = Number(request.url?.split("/")[1]);
    response.writeHead(status, { "content-type": "application/json", "content-length": "500" });
    response.write("{");
  });
  const started = performance.now();
  await Promise.all(
    statuses.map(async (status) => {
      const { webhooks } = clientAt(`${origin}/${status}`, { timeoutMs: 1_000 });
      const error = await rejectionOf(ApiError, webhooks.list());
      expect(error.status).toBe(status);
      expect(error.outcome).toBe(status < 500 ? "rejected" : "unknown");
      expect(error instanceof RateLimitedError).toBe(status === 429);
    }),
  );
  expect(performance.now() - started).toBeLessThan(10_000);
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(statuses.length), { timeout: 10_000 });
});
