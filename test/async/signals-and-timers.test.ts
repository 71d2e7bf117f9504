/**
 * Callers that share one signal, and timers of any length. That calls and waits end at once, and leave no listener and
 * no timer: test/transport/cancellation.test.ts and test/waiting.
 */
import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { abortable, onAbort } from "../../src/async/abort.js";
import { MAX_TIMER_MS, startTimer } from "../../src/async/timers.js";
import { rejection } from "../support/recorder.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

describe("onAbort", () => {
  it("calls a function on abort as often as it is registered, and not if it is stopped", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const call = vi.fn();
    onAbort(signal, call);
    onAbort(signal, call);
    const stopped = vi.fn();
    onAbort(signal, stopped)();
    controller.abort();
    expect(call).toHaveBeenCalledTimes(2);
    expect(stopped).not.toHaveBeenCalled();
  });

  it("ignores a second call of the same stop function, so that other callers keep their listener", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const stop = onAbort(signal, () => {});
    stop();
    const call = vi.fn();
    onAbort(signal, call);
    stop();
    onAbort(signal, () => {});
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort();
    expect(call).toHaveBeenCalledOnce();
  });
});

it("abortable settles with its promise, and then leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(1), signal)).toBe(1);
  expect(await rejection(abortable(Promise.reject("broken"), signal))).toBe("broken");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("a timer", () => {
  const firesAt = async (ms: number) => {
    let at: number | undefined;
    startTimer(ms, () => {
      at = Date.now();
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(at).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    return at;
  };

  it("fires at its time, even after more milliseconds than setTimeout accepts", async () => {
    expect(await firesAt(1_000)).toBe(1_000);
    vi.setSystemTime(0);
    expect(await firesAt(MAX_TIMER_MS)).toBe(MAX_TIMER_MS);
    vi.setSystemTime(0);
    expect(await firesAt(2.5 * MAX_TIMER_MS + 0.5)).toBe(2.5 * MAX_TIMER_MS + 0.5);
  });

  it("can be stopped, even in the second of its two steps", async () => {
    const callback = vi.fn();
    const stop = startTimer(MAX_TIMER_MS + 1_000, callback);
    await vi.advanceTimersByTimeAsync(MAX_TIMER_MS + 500);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(callback).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
