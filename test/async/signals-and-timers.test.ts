/** Waiting that a signal can end: `onAbort`, `abortable`, timers and pauses. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { abortable, onAbort } from "../../src/async/abort.js";
import { withAsyncDispose } from "../../src/async/symbols.js";
import { MAX_TIMER_MS, pause, startTimer } from "../../src/async/timers.js";
import { isRecord } from "../../src/json/is-record.js";
import { parseJson } from "../../src/json/parse-json.js";
import { rejection } from "../support/recorder.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A signal that counts its listeners. */
function counted() {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, listeners: () => listeners };
}

describe("onAbort", () => {
  it("calls the function at once if the signal has already aborted, and never if there is no signal", () => {
    const called: string[] = [];
    onAbort(AbortSignal.abort(), () => called.push("aborted"))();
    onAbort(undefined, () => called.push("never"))();
    expect(called).toEqual(["aborted"]);
  });

  it("adds one listener to the signal for all callers, and removes it when the last caller stops", () => {
    const { signal, listeners } = counted();
    const stops = [onAbort(signal, () => {}), onAbort(signal, () => {})];
    expect(listeners()).toBe(1);
    stops[0]?.();
    expect(listeners()).toBe(1);
    stops[1]?.();
    expect(listeners()).toBe(0);
    stops[1]?.();
    expect(listeners()).toBe(0);
    onAbort(signal, () => {});
    expect(listeners()).toBe(1);
  });

  it("calls a function on abort as often as it is registered, and not if it is stopped", () => {
    const { controller, signal } = counted();
    let calls = 0;
    const call = () => {
      calls += 1;
    };
    onAbort(signal, call);
    onAbort(signal, call);
    const stop = onAbort(signal, () => {
      throw new Error("it was stopped");
    });
    stop();
    controller.abort();
    expect(calls).toBe(2);
  });

  it("ignores a second call of the same stop function, so that other callers keep their listener", () => {
    const { controller, signal, listeners } = counted();
    const stop = onAbort(signal, () => {});
    stop();
    let called = false;
    onAbort(signal, () => {
      called = true;
    });
    stop();
    expect(listeners()).toBe(1);
    controller.abort();
    expect(called).toBe(true);
  });

  it("removes nothing if a stop function is called after the abort", () => {
    const { controller, signal, listeners } = counted();
    const stop = onAbort(signal, () => {});
    controller.abort();
    stop();
    expect(listeners()).toBe(1);
  });
});

describe("abortable", () => {
  it("returns the promise itself if there is no signal", () => {
    const work = Promise.resolve(1);
    expect(abortable(work, undefined)).toBe(work);
  });

  it("settles with the promise, and then leaves no listener on the signal", async () => {
    const { signal, listeners } = counted();
    expect(await abortable(Promise.resolve(1), signal)).toBe(1);
    expect(await rejection(abortable(Promise.reject("broken"), signal))).toBe("broken");
    expect(listeners()).toBe(0);
  });

  it("rejects with the reason as soon as the signal aborts, and passes a late value to onLate", async () => {
    const { controller, signal } = counted();
    let finish = (_: number) => {};
    const late: number[] = [];
    const work = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const result = rejection(abortable(work, signal, (value) => late.push(value)));
    controller.abort("stop");
    expect(await result).toBe("stop");
    finish(5);
    await Promise.resolve();
    expect(late).toEqual([5]);
  });

  it("does not call onLate for a value that came before the abort", async () => {
    const late: number[] = [];
    const { controller, signal } = counted();
    expect(await abortable(Promise.resolve(1), signal, (value) => late.push(value))).toBe(1);
    controller.abort();
    expect(late).toEqual([]);
  });

  it("needs no onLate function, whether the late promise resolves or rejects", async () => {
    const { controller, signal } = counted();
    const result = rejection(abortable(Promise.resolve(1), signal));
    controller.abort("stop");
    expect(await result).toBe("stop");
    const failed = rejection(abortable(Promise.reject(new Error("late")), AbortSignal.abort("first")));
    expect(await failed).toBe("first");
  });
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

  it("passes setTimeout no delay above its maximum", () => {
    const delays: unknown[] = [];
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((callback: () => void, delay: number) => {
      delays.push(delay);
      return setTimeout(callback, delay);
    }) as typeof setTimeout;
    try {
      startTimer(MAX_TIMER_MS + 5, () => {})();
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    expect(delays).toEqual([MAX_TIMER_MS]);
  });

  it("can be stopped, even in the second of its two steps", async () => {
    let fired = false;
    const stop = startTimer(MAX_TIMER_MS + 1_000, () => {
      fired = true;
    });
    await vi.advanceTimersByTimeAsync(MAX_TIMER_MS + 500);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fired).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("pause()", () => {
  it("resolves after the given time, and leaves no timer", async () => {
    let ended = false;
    const paused = pause(1_000).then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await paused;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("resolves early if its wake-up promise resolves, and leaves no timer", async () => {
    await pause(1_000_000, undefined, Promise.resolve());
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects with the reason of its signal, and leaves no timer", async () => {
    const controller = new AbortController();
    const result = rejection(pause(1_000_000, controller.signal));
    controller.abort("stop");
    expect(await result).toBe("stop");
    expect(vi.getTimerCount()).toBe(0);
    expect(await rejection(pause(5, AbortSignal.abort("before")))).toBe("before");
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("withAsyncDispose adds a non-enumerable Symbol.asyncDispose where the runtime has that symbol", async () => {
  let disposed = 0;
  const target = withAsyncDispose({ a: 1 }, async () => {
    disposed += 1;
  });
  expect(Object.keys(target)).toEqual(["a"]);
  const symbol = (Symbol as { asyncDispose?: symbol }).asyncDispose;
  if (symbol === undefined) {
    expect(Object.getOwnPropertySymbols(target)).toEqual([]);
    return;
  }
  await (target as unknown as Record<symbol, () => Promise<void>>)[symbol]?.();
  expect(disposed).toBe(1);
});

it("isRecord accepts every object but arrays and functions", () => {
  for (const value of [{}, Object.create(null), new Date(0)]) expect(isRecord(value)).toBe(true);
  for (const value of [null, undefined, [], "x", 5, () => {}]) expect(isRecord(value)).toBe(false);
});

it("parseJson returns undefined for text that is not JSON", () => {
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  for (const text of ["", "{", "undefined", "NaN"]) expect(parseJson(text)).toBeUndefined();
});
