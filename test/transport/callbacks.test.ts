/** The callback before a retry, and callbacks that reject. */
import { type LogFunction, type RetryReport, ServerError } from "notetaker-sdk";
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

  it("reports a wait of the backoff in whole milliseconds", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.0123);
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
