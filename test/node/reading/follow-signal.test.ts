/** A signal that aborts with the caller's signal, and can also be aborted alone. */
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignal } from "../../../src/node/reading/follow-signal.js";

describe("a signal that follows another", () => {
  it("aborts when the other signal aborts, with the same reason", () => {
    const followed = new AbortController();
    const { signal } = followSignal(followed.signal);
    expect(signal.aborted).toBe(false);
    followed.abort("enough");
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  it("is aborted from the start if the other signal has already aborted", () => {
    const { signal } = followSignal(AbortSignal.abort("enough"));
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  it("can be aborted alone, without an effect on the other signal", () => {
    const followed = new AbortController();
    const following = followSignal(followed.signal);
    following.abort("mine");
    expect(following.signal.reason).toBe("mine");
    expect(followed.signal.aborted).toBe(false);
  });

  it("has one listener on the other signal until it is released or the other signal aborts", () => {
    const followed = new AbortController();
    const count = () => getEventListeners(followed.signal, "abort").length;
    const following = followSignal(followed.signal);
    expect(count()).toBe(1);
    following.release();
    expect(count()).toBe(0);
    followed.abort();
    expect(following.signal.aborted).toBe(false);
    followSignal(followed.signal);
    expect(count()).toBe(0);
  });

  it("needs no other signal", () => {
    const following = followSignal(undefined);
    following.release();
    following.abort("mine");
    expect(following.signal.reason).toBe("mine");
  });
});
