/** The callbacks through which a client reports its attempts. */
import { type MiddlewareContext, type RetryReport, ServerError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejection, rejectionOf } from "../support/recorder.js";

describe("onRetry", () => {
  it("is called before each wait with the attempt, the wait and the error", async () => {
    const onRetry = vi.fn((_: RetryReport) => {});
    const { notetaker } = clientOf(() => refusal(503, "unavailable", { "retry-after": "0" }), { onRetry });
    const error = await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(onRetry.mock.calls.map(([report]) => [report.operation, report.attempt, report.delayMs])).toEqual([
      ["webhooks.list", 1, 0],
      ["webhooks.list", 2, 0],
    ]);
    expect(onRetry.mock.calls[0]?.[0].error).toBeInstanceOf(ServerError);
    expect(error.attempts).toBe(3);
  });

  it("ends the call with the error that it throws", async () => {
    const mine = new Error("mine");
    const { notetaker, seen } = clientOf(() => refusal(503, "unavailable"), {
      onRetry: () => {
        throw mine;
      },
    });
    expect(await rejection(notetaker.webhooks.list())).toBe(mine);
    expect(seen).toHaveLength(1);
  });
});

describe("a middleware's context", () => {
  it("has the operation and the attempt, and a signal that ends with the attempt", async () => {
    const contexts: MiddlewareContext[] = [];
    const { notetaker } = clientOf((_, index) => (index === 0 ? refusal(503, "unavailable") : json([])), {
      maxRetryDelayMs: 0,
      middleware: [
        (request, next, context) => {
          contexts.push(context);
          return next(request);
        },
      ],
    });
    await notetaker.webhooks.list();
    expect(contexts.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ["webhooks.list", 1],
      ["webhooks.list", 2],
    ]);
    expect(contexts[0]?.signal).not.toBe(contexts[1]?.signal);
  });

  it("has a signal that aborts with the caller's reason", async () => {
    const controller = new AbortController();
    let reason: unknown;
    const { notetaker } = clientOf(() => json([]), {
      middleware: [
        async (request, next, { signal }) => {
          controller.abort("mine");
          reason = signal.reason;
          return next(request);
        },
      ],
    });
    await rejection(notetaker.webhooks.list({ signal: controller.signal }));
    expect(reason).toBe("mine");
  });
});

describe("a logger function", () => {
  it("gets the level, the message and the fields", async () => {
    const logger = vi.fn();
    const { notetaker } = clientOf(() => json([]), { logger });
    await notetaker.webhooks.list();
    expect(logger).toHaveBeenCalledWith(
      "debug",
      "notetaker: webhooks.list",
      expect.objectContaining({ operation: "webhooks.list", status: 200, attempt: 1 }),
    );
  });
});

describe("withOptions", () => {
  it("returns a client with changed options, and does not change the original client", async () => {
    const { notetaker, seen } = clientOf(() => refusal(503, "unavailable"), {
      maxRetryDelayMs: 0,
      headers: { a: "1" },
    });
    await rejection(notetaker.withOptions({ maxRetries: 0 }).webhooks.list());
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers.a).toBe("1");
    await rejection(notetaker.webhooks.list());
    expect(seen).toHaveLength(4);
  });
});
