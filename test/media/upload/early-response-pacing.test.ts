/** How slowly the body is fed at first, so that an early answer can be read. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EarlyResponsePacing, needsPacing } from "../../../src/media/upload/early-response-pacing.js";

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A wait, and how far it is. */
function begun(pacing: EarlyResponsePacing, sentBytes: number) {
  const state = { waits: 0, isOver: false };
  const onWait = () => {
    state.waits += 1;
  };
  void pacing.wait(sentBytes, onWait).then(() => {
    state.isOver = true;
  });
  return state;
}

/** A pacing whose first wait is over. */
async function afterFirst() {
  const pacing = new EarlyResponsePacing();
  begun(pacing, 1_000);
  await vi.advanceTimersByTimeAsync(25);
  return pacing;
}

const aFewTurns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe("the wait", () => {
  it("after the first chunk is 25 ms, and reports progress every 5 ms", async () => {
    const state = begun(new EarlyResponsePacing(), 64 * 1024);
    await vi.advanceTimersByTimeAsync(4);
    expect(state).toEqual({ waits: 0, isOver: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toEqual({ waits: 1, isOver: false });
    await vi.advanceTimersByTimeAsync(19);
    expect(state).toEqual({ waits: 4, isOver: false });
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toEqual({ waits: 5, isOver: true });
  });

  it.each([1_000, 2 * MIB])("after a further chunk is 1 ms, up to 2 MiB: %i bytes", async (sentBytes) => {
    const state = begun(await afterFirst(), sentBytes);
    // Turns of the event loop do not end it.
    for (let turn = 0; turn < 3; turn += 1) await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    expect(state.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toEqual({ waits: 0, isOver: true });
  });

  it("after later chunks is two turns of the event loop", async () => {
    const state = begun(await afterFirst(), 2 * MIB + 1);
    for (const isOver of [false, true]) {
      expect(state.isOver).toBe(false);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersToNextTimer();
      await aFewTurns();
      expect(state.isOver).toBe(isOver);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is none after later chunks where there is no setImmediate", async () => {
    const pacing = await afterFirst();
    vi.stubGlobal("setImmediate", undefined);
    const state = begun(pacing, 2 * MIB + 1);
    await aFewTurns();
    expect(state.isOver).toBe(true);
  });

  it("ends when the upload does, reports no further progress and leaves no timer", async () => {
    const pacing = new EarlyResponsePacing();
    const state = begun(pacing, 1_000);
    await vi.advanceTimersByTimeAsync(10);
    expect(state.waits).toBe(2);
    pacing.stop();
    expect(vi.getTimerCount()).toBe(0);
    await aFewTurns();
    expect(state).toEqual({ waits: 2, isOver: true });
  });

  it("does not begin once the upload has ended", async () => {
    for (const pacing of [new EarlyResponsePacing(), await afterFirst()]) {
      pacing.stop();
      const state = begun(pacing, 1_000);
      await aFewTurns();
      expect(state).toEqual({ waits: 0, isOver: true });
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

describe("pacing", () => {
  it("is for Node's own fetch alone", () => {
    expect(needsPacing()).toBe(true);
    vi.stubGlobal("process", { versions: { node: "24.0.0" } });
    expect(needsPacing()).toBe(false);
    vi.stubGlobal("process", {});
    expect(needsPacing()).toBe(false);
    vi.stubGlobal("process", undefined);
    expect(needsPacing()).toBe(false);
  });
});
