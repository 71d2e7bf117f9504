import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { memoryDedupe } from "../../../src/webhooks/receive/dedupe.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the in-memory dedupe store", () => {
  it("a delivery belongs to one owner until it is released or completed", () => {
    const store = memoryDedupe();
    expect(store.claim("k", "a")).toBe("claimed");
    expect(store.claim("k", "b")).toBe("in_progress");
    store.release("k", "a");
    expect(store.claim("k", "b")).toBe("claimed");
    store.complete("k", "b");
    expect(store.claim("k", "a")).toBe("done");
    expect(store.claim("other", "a")).toBe("claimed");
  });

  it("an owner cannot complete or release the claim of another owner", () => {
    const store = memoryDedupe();
    store.claim("k", "a");
    store.release("k", "b");
    store.complete("k", "b");
    expect(store.claim("k", "c")).toBe("in_progress");
    store.complete("k", "a");
    store.release("k", "a");
    expect(store.claim("k", "c")).toBe("done");
  });

  it("a completed delivery is remembered for three minutes, and a claim until it is completed or released", () => {
    const store = memoryDedupe();
    store.claim("done", "a");
    store.claim("held", "a");
    store.complete("done", "a");
    vi.advanceTimersByTime(179_999);
    expect(store.claim("done", "b")).toBe("done");
    vi.advanceTimersByTime(1);
    expect(store.claim("done", "b")).toBe("claimed");
    vi.advanceTimersByTime(86_400_000);
    expect(store.claim("held", "b")).toBe("in_progress");
  });

  it("the store forgets the oldest delivery first if it is full", () => {
    const store = memoryDedupe({ maxKeys: 2 });
    for (const key of ["1", "2", "3"]) {
      store.claim(key, "a");
      store.complete(key, "a");
    }
    expect(["3", "2"].map((key) => store.claim(key, "b"))).toEqual(["done", "done"]);
    expect(store.claim("1", "b")).toBe("claimed");
  });

  it("the store starts no timer", () => {
    const store = memoryDedupe();
    store.claim("k", "a");
    store.complete("k", "a");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a key never has two owners, whatever the order of operations", () => {
    const step = fc.record({
      do: fc.constantFrom("claim", "complete", "release", "wait"),
      key: fc.constantFrom("x", "y"),
      owner: fc.constantFrom("a", "b", "c"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = memoryDedupe({ keepMs: 10 });
        const owners = new Map<string, string>();
        for (const { do: what, key, owner } of steps) {
          if (what === "wait") vi.advanceTimersByTime(6);
          else if (what === "claim") {
            if (store.claim(key, owner) === "claimed") {
              expect(owners.get(key)).toBeUndefined();
              owners.set(key, owner);
            }
          } else {
            store[what](key, owner);
            if (owners.get(key) === owner) owners.delete(key);
          }
        }
      }),
    );
  });
});
