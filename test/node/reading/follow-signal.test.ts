/** A signal that follows the caller's, and can be aborted alone. */
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignal } from "../../../src/node/reading/follow-signal.js";

describe("a signal that follows another", () => {
  it("aborts when that does, with its reason", () => {
    const followed = new AbortController();
    const { signal } = followSignal(followed.signal);
    expect(signal.aborted).toBe(false);
    followed.abort("enough");
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  it("has aborted if that had before", () => {
    const { signal } = followSignal(AbortSignal.abort("enough"));
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
  });

  it("aborts alone, and leaves the other as it is", () => {
    const followed = new AbortController();
    const following = followSignal(followed.signal);
    following.abort("mine");
    expect(following.signal.reason).toBe("mine");
    expect(followed.signal.aborted).toBe(false);
  });

  it("has one listener on the other until it is released or that aborts", () => {
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

  it("may follow none", () => {
    const following = followSignal(undefined);
    following.release();
    following.abort("mine");
    expect(following.signal.reason).toBe("mine");
  });
});
