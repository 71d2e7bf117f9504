/** The callbacks through which a client reports its attempts. */
import {
  ConfigurationError,
  type LogFunction,
  type MiddlewareContext,
  type RetryReport,
  ServerError,
} from "notetaker-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { BASE_URL, clientOf, json, refusal, rejection, rejectionOf, TOKEN } from "../support/recorder.js";

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

  it("reports a wait of the backoff in whole milliseconds", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.0123);
    onTestFinished(() => void vi.restoreAllMocks());
    const onRetry = vi.fn((_: RetryReport) => {});
    const { notetaker } = clientOf(() => refusal(503, "unavailable"), { onRetry });
    await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(onRetry.mock.calls.map(([{ delayMs }]) => delayMs)).toEqual([6, 12]);
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

describe("a callback that returns a rejected promise", () => {
  /** The callbacks that were logged. An unhandled rejection would fail the run. */
  async function logged(make: (callback: () => Promise<never>, logger: LogFunction) => Promise<unknown>) {
    const names: unknown[] = [];
    const logger: LogFunction = (level, _, { callback }) => void (level === "warn" && callback && names.push(callback));
    await make(async () => Promise.reject(new Error("no more paper")), logger);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return names;
  }

  it("is logged once per report, and does not change the call", async () => {
    const retried = (_: unknown, index: number) => (index === 0 ? refusal(503, "unavailable") : json([]));
    const onRetry = logged((callback, logger) =>
      clientOf(retried, { onRetry: callback, logger, maxRetryDelayMs: 0 }).notetaker.webhooks.list(),
    );
    expect(await onRetry).toEqual(["onRetry"]);

    const page = { data: [{ id: 5 }], next_cursor: null, has_more: false };
    const onInvalid = logged((callback, logger) =>
      clientOf(() => json(page), { logger }).notetaker.rooms.list({}, { onInvalid: callback }),
    );
    expect(await onInvalid).toEqual(["onInvalid"]);

    const onProgress = logged((onProgress, logger) =>
      clientOf(() => json({ id: "mtg_1", status: "processing" }), { logger }).notetaker.meetings.upload(
        new Uint8Array(1),
        { contentType: "audio/wav" },
        { onProgress },
      ),
    );
    expect(new Set((await onProgress) as string[])).toEqual(new Set(["onProgress"]));
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
  it("keeps the client's own value of an option that is undefined, whatever the environment holds", async () => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubEnv("NOTETAKER_TOKEN", "tok_operator");
    vi.stubEnv("NOTETAKER_BASE_URL", "https://operator.example.com/v1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const same = notetaker.withOptions({ token: undefined, baseUrl: undefined, fetch: undefined, headers: undefined });
    await same.webhooks.list();
    expect(seen[0]?.request.url).toBe(`${BASE_URL}/webhooks`);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it.each([[null], [5], [undefined]])("refuses %s", (options) => {
    const { notetaker } = clientOf(() => json([]));
    expect(() => notetaker.withOptions(options as never)).toThrow(ConfigurationError);
  });

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
