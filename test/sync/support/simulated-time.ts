/** Time that passes only when a run waits for it. */
import { EventEmitter, once } from "node:events";
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

/** Calls of stores that write files or talk to a server. No simulated time passes while they work. */
let realCalls = 0;
const ends = new EventEmitter();

/** Lets no simulated time pass during the calls of a store, and of its locks. */
export function timeless<T extends object>(object: T): T {
  const methods = Object.entries({ ...prototypeOf(object), ...object }).filter(
    ([, value]) => typeof value === "function",
  );
  const calls = methods.map(([name, method]) => {
    const call = async (...args: unknown[]) => {
      realCalls += 1;
      try {
        const result: unknown = await Reflect.apply(method as () => unknown, object, args);
        if (!isLock(result)) return result;
        return Object.assign(result, timeless({ release: result.release.bind(result) }));
      } finally {
        realCalls -= 1;
        ends.emit("call");
      }
    };
    return [name, call] as const;
  });
  return Object.assign(Object.create(null), Object.fromEntries(calls)) as T;
}

/** The methods of a class. */
function prototypeOf(object: object): object {
  const prototype = Object.getPrototypeOf(object);
  const names = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype ?? {});
  return Object.fromEntries(names.filter((name) => name !== "constructor").map((name) => [name, prototype[name]]));
}

const isLock = (value: unknown): value is { release: () => unknown } =>
  typeof value === "object" && value !== null && "release" in value;

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
    if (realCalls > 0) {
      // Not in a loop, because the server needs the core.
      await once(ends, "call");
      continue;
    }
    if (Date.now() >= untilMs) return "running";
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
}

/** What the promise resolves to, however long it takes. */
export const ended = async <T>(promise: Promise<T>): Promise<T> => (await settle(promise)) as T;

export const wait = (ms: number): Promise<void> => ended(new Promise<void>((resolve) => void setTimeout(resolve, ms)));
