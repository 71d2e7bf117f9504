/** Time that passes only when a run waits for it. */
import { onTestFinished, vi } from "vitest";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] as const;

export const fakeTime = (now: number) => void vi.useFakeTimers({ now, toFake: [...FAKED] });

/** Simulated time until the test ends. */
export function simulatedTime(now = Date.parse("2026-03-10T09:00:00Z")): void {
  fakeTime(now);
  onTestFinished(() => void vi.useRealTimers());
}

/** Calls of a store that writes files or talks to a server. No simulated time passes while it works. */
export const realWork = { calls: 0 };

/** Lets the timers run until the promise has settled, or until a time. */
export async function settle<T>(promise: Promise<T>, untilMs = Number.POSITIVE_INFINITY): Promise<T | "running"> {
  let result: { value: T } | { error: unknown } | undefined;
  promise.then(
    (value) => {
      result = { value };
    },
    (error: unknown) => {
      result = { error };
    },
  );
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (result !== undefined) {
      if ("error" in result) throw result.error;
      return result.value;
    }
    if (realWork.calls > 0) continue;
    if (Date.now() >= untilMs) return "running";
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
}

/** What the promise resolves to, however long it takes. */
export const ended = async <T>(promise: Promise<T>): Promise<T> => (await settle(promise)) as T;
