/** The pauses between the first chunks of a body, which give an early response time to arrive. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EarlyResponsePacing, needsPacing } from "../../../src/media/upload/early-response-pacing.js";

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A pause, and its progress. */
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

/** A pacing whose first pause is over. */
async function afterFirst() {
  const pacing = new EarlyResponsePacing();
  begun(pacing, 1_000);
  await vi.advanceTimersByTimeAsync(25);
  return pacing;
}

const aFewTurns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe("the pause between two chunks of an upload", () => {
  it("is 25 ms after the first chunk, and reports progress every 5 ms", async () => {
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

  it.each([1_000, 2 * MIB])("is 1 ms after each further chunk of the first 2 MiB: %i bytes", async (sentBytes) => {
    const state = begun(await afterFirst(), sentBytes);
    // Turns of the event loop do not end the pause.
    for (let turn = 0; turn < 3; turn += 1) await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    expect(state.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toEqual({ waits: 0, isOver: true });
  });

  it("is two turns of the event loop after later chunks", async () => {
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

  it("does not exist after later chunks if there is no setImmediate", async () => {
    const pacing = await afterFirst();
    vi.stubGlobal("setImmediate", undefined);
    const state = begun(pacing, 2 * MIB + 1);
    await aFewTurns();
    expect(state.isOver).toBe(true);
  });

  it("ends with the upload, then reports no progress and leaves no timer", async () => {
    const pacing = new EarlyResponsePacing();
    const state = begun(pacing, 1_000);
    await vi.advanceTimersByTimeAsync(10);
    expect(state.waits).toBe(2);
    pacing.stop();
    expect(vi.getTimerCount()).toBe(0);
    await aFewTurns();
    expect(state).toEqual({ waits: 2, isOver: true });
  });

  it("does not start after the upload has ended", async () => {
    for (const pacing of [new EarlyResponsePacing(), await afterFirst()]) {
      pacing.stop();
      const state = begun(pacing, 1_000);
      await aFewTurns();
      expect(state).toEqual({ waits: 0, isOver: true });
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

describe("the pacing of an upload", () => {
  it("applies only to Node's own fetch", () => {
    expect(needsPacing()).toBe(true);
    vi.stubGlobal("process", { versions: { node: "24.0.0" } });
    expect(needsPacing()).toBe(false);
    vi.stubGlobal("process", {});
    expect(needsPacing()).toBe(false);
    vi.stubGlobal("process", undefined);
    expect(needsPacing()).toBe(false);
  });
});
