/** A time limit in total or without progress. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { timeLimit } from "../../src/transport/time-limit.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const late = (ms: number) => `late after ${ms}`;

/** The time at which the signal of a limit aborts. */
function abortedAt(signal: AbortSignal): () => number | undefined {
  let at: number | undefined;
  signal.addEventListener("abort", () => {
    at = Date.now();
  });
  return () => at;
}

describe("a time limit", () => {
  it("aborts when its time is over, and reports the remaining time", () => {
    const limit = timeLimit(undefined, 100, late);
    const at = abortedAt(limit.signal);
    vi.advanceTimersByTime(60);
    expect(limit.remainingMs()).toBe(40);
    vi.advanceTimersByTime(60);
    expect(at()).toBe(100);
    expect(limit.signal.reason).toBe("late after 100");
  });

  it("starts again with each sign of progress", () => {
    const limit = timeLimit(undefined, 100, late);
    const at = abortedAt(limit.signal);
    for (const ms of [80, 80, 80]) {
      vi.advanceTimersByTime(ms);
      limit.restart();
      expect(limit.remainingMs()).toBe(100);
    }
    vi.advanceTimersByTime(1_000);
    expect(at()).toBe(340);
  });

  it("does not run while it is stopped, or after it has ended", () => {
    const limit = timeLimit(undefined, 100, late);
    limit.stop();
    vi.advanceTimersByTime(1_000);
    expect(limit.signal.aborted).toBe(false);
    limit.restart();
    limit.dispose();
    vi.advanceTimersByTime(1_000);
    expect(limit.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may be undefined: then no timer runs, and the remaining time is infinite", () => {
    const limit = timeLimit(undefined, undefined, late);
    limit.restart();
    expect(vi.getTimerCount()).toBe(0);
    expect(limit.remainingMs()).toBe(Number.POSITIVE_INFINITY);
    limit.abort("mine");
    expect(limit.signal.reason).toBe("mine");
  });

  it("aborts with its parent signal, with the same reason, until it has ended", () => {
    const parent = new AbortController();
    const [limit, over] = [timeLimit(parent.signal, 100, late), timeLimit(parent.signal, undefined, late)];
    over.dispose();
    parent.abort("mine");
    expect(limit.signal.reason).toBe("mine");
    expect(over.signal.aborted).toBe(false);
    const { signal } = new AbortController();
    timeLimit(signal, 100, late).dispose();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
