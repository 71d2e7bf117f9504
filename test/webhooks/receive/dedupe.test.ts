import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { memoryDedupe } from "../../../src/webhooks/receive/dedupe.js";
import { expectOneHolder } from "./one-holder.js";

beforeEach(() => void vi.useFakeTimers());

it("a delivery has one holder until that holder releases or completes it", async () => {
  await expectOneHolder(memoryDedupe(), "k");
});

it("a completed delivery is remembered for three minutes, also if the system's clock is set forward or back", () => {
  const store = memoryDedupe();
  for (const hours of [0, 1, -2]) {
    store.claim("k", "a");
    store.complete("k", "a");
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    vi.advanceTimersByTime(179_999);
    expect(store.claim("k", "b")).toBe("done");
    vi.advanceTimersByTime(1);
    expect(store.claim("k", "b")).toBe("claimed");
    store.release("k", "b");
  }
});

it("a claim is renewed until it is settled, and leaves no timer behind", () => {
  const store = memoryDedupe();
  for (const settle of ["complete", "release"] as const) {
    store.claim(settle, "a");
    vi.advanceTimersByTime(86_400_000);
    expect(store.claim(settle, "b")).toBe("in_progress");
    store[settle](settle, "a");
  }
  expect(vi.getTimerCount()).toBe(0);
});

it("a claim ends 9 seconds after its timers were stopped, and then belongs to whoever claims it", () => {
  const store = memoryDedupe();
  store.claim("k", "a");
  // What Workers do with a handler whose request has ended.
  vi.clearAllTimers();
  vi.advanceTimersByTime(8_999);
  expect(store.claim("k", "b")).toBe("in_progress");
  vi.advanceTimersByTime(1);
  expect(store.claim("k", "b")).toBe("claimed");
  store.complete("k", "a");
  store.release("k", "a");
  vi.advanceTimersByTime(60_000);
  expect(store.claim("k", "c")).toBe("in_progress");
  store.complete("k", "b");
  expect(store.claim("k", "c")).toBe("done");
});

it("a claim that is taken over, as after a suspension of the process, leaves no timer behind", () => {
  const store = memoryDedupe();
  store.claim("k", "a");
  const now = performance.now() + 9_000;
  vi.spyOn(performance, "now").mockReturnValue(now);
  expect(store.claim("k", "b")).toBe("claimed");
  vi.restoreAllMocks();
  store.complete("k", "b");
  expect(vi.getTimerCount()).toBe(0);
});

it("the store forgets the oldest delivery first if it is full", () => {
  const store = memoryDedupe({ maxKeys: 2 });
  for (const key of ["1", "2", "3"]) {
    store.claim(key, "a");
    store.complete(key, "a");
  }
  expect(["3", "2", "1"].map((key) => store.claim(key, "b"))).toEqual(["done", "done", "claimed"]);
});

it("a key never has two holders, whatever the order of operations", () => {
  const step = fc.record({
    do: fc.constantFrom("claim", "complete", "release", "wait"),
    key: fc.constantFrom("x", "y"),
    holder: fc.constantFrom("a", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = memoryDedupe({ keepMs: 10 });
      const holders = new Map<string, string>();
      for (const { do: what, key, holder } of steps) {
        if (what === "wait") vi.advanceTimersByTime(6);
        else if (what === "claim") {
          if (store.claim(key, holder) === "claimed") {
            expect(holders.get(key)).toBeUndefined();
            holders.set(key, holder);
          }
        } else {
          store[what](key, holder);
          if (holders.get(key) === holder) holders.delete(key);
        }
      }
    }),
  );
});
