/** How many requests may start within a minute, and how the service's rate limit window reduces this number. */
import { beforeEach, describe, expect, it } from "vitest";
import { RateGate } from "../../../src/node/reading/rate-gate.js";
import type { RateLimit } from "../../../src/schemas/rate-limit.js";
import { rejection } from "../../support/recorder.js";

const START = Date.UTC(2025, 0, 1);
const MINUTE = 60_000;
const never = new AbortController().signal;

let now = START;
let waits: number[] = [];
let reported: number[] = [];
beforeEach(() => {
  now = START;
  waits = [];
  reported = [];
});

const clock = {
  now: () => now,
  async sleep(ms: number, signal: AbortSignal) {
    if (signal.aborted) throw signal.reason;
    waits.push(ms);
    now += ms;
  },
};
const gateOf = (perMinute: number) => new RateGate({ perMinute, clock, onWait: (ms) => reported.push(ms) });
const windowWith = (remaining: number, resetsInMs: number): RateLimit =>
  ({ limit: 60, remaining, resetAt: new Date(now + resetsInMs) }) as RateLimit;
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One request that takes no time. */
async function pass(gate: RateGate, rateLimit?: RateLimit): Promise<number> {
  await gate.enter(never);
  gate.leave(rateLimit);
  return now - START;
}

/** Whether another request may start now. */
async function isOpen(gate: RateGate): Promise<boolean> {
  let isEntered = false;
  void gate.enter(never).then(() => {
    isEntered = true;
  });
  await aTurn();
  return isEntered;
}

describe("a rate gate", () => {
  it("allows its number of requests per minute, and the next request a minute after the first has ended", async () => {
    const gate = gateOf(3);
    const times: number[] = [];
    for (let request = 0; request < 7; request += 1) {
      times.push(await pass(gate));
      now += 1_000;
    }
    expect(times).toEqual([0, 1_000, 2_000, MINUTE, MINUTE + 1_000, MINUTE + 2_000, 2 * MINUTE]);
    expect(waits).toEqual([MINUTE - 3_000, MINUTE - 3_000]);
    expect(reported).toEqual(waits);
    expect(gate.count).toBe(7);
  });

  it("counts a request from its start until a minute after its end", async () => {
    const gate = gateOf(1);
    await gate.enter(never);
    now += 90_000;
    expect(await isOpen(gate)).toBe(false);
    gate.leave(undefined);
    await aTurn();
    expect(waits).toEqual([MINUTE]);
  });

  it("allows one request until its response shows how much of the quota others have used", async () => {
    const gate = gateOf(10);
    await gate.enter(never);
    expect(await isOpen(gate)).toBe(false);
    gate.leave(undefined);
    await aTurn();
    expect(gate.count).toBe(2);
    expect(waits).toEqual([]);
    expect(await isOpen(gate)).toBe(true);
  });

  it("does not count a request that was aborted before it started", async () => {
    const gate = gateOf(1);
    const aborted = new AbortController();
    aborted.abort("enough");
    expect(await rejection(gate.enter(aborted.signal))).toBe("enough");
    expect(gate.count).toBe(0);
    expect(await pass(gate)).toBe(0);
  });

  it("ends a wait with the signal's reason, and allows the next request", async () => {
    const gate = gateOf(1);
    await pass(gate);
    const controller = new AbortController();
    controller.abort("enough");
    expect(await rejection(gate.enter(controller.signal))).toBe("enough");
    expect(await pass(gate)).toBe(MINUTE);
  });
});

describe("a rate gate with the service's window", () => {
  it("holds requests back until a used-up window ends", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 20_000));
    expect(await pass(gate)).toBe(20_000);
    expect(waits).toEqual([20_000]);
  });

  it("waits once for a window, because the next response shows a new one", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 20_000));
    await pass(gate);
    expect(await pass(gate)).toBe(20_000);
  });

  it("allows as many requests as the window has left", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(2, 20_000));
    expect([await isOpen(gate), await isOpen(gate), await isOpen(gate)]).toEqual([true, true, false]);
  });

  it("never holds requests back for more than a minute, whatever the service's clock says", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 3_600_000));
    expect(await pass(gate)).toBe(MINUTE);
  });

  it("holds nothing back after the window has ended", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, -1));
    expect(await pass(gate)).toBe(0);
  });

  it.each([
    ["a smaller remainder of the same window as newer", [5, 30_000], [0, 30_000], 30_000],
    ["a larger remainder of the same window as older", [0, 30_000], [5, 30_000], 30_000],
    ["a later window as newer, whatever remains", [0, 30_000], [5, 40_000], 0],
    ["an earlier window as older, whatever remains", [5, 40_000], [0, 30_000], 0],
    ["a response without a window as no information", [0, 30_000], undefined, 30_000],
  ] as const)("takes %s", async (_, first, second, waitMs) => {
    const gate = gateOf(10);
    await pass(gate, windowWith(9, 10_000));
    await gate.enter(never);
    await gate.enter(never);
    gate.leave(windowWith(first[0], first[1]));
    gate.leave(second && windowWith(second[0], second[1]));
    expect(await pass(gate)).toBe(waitMs);
  });
});

describe("the pause of a rate gate", () => {
  it("holds every request back until it ends", async () => {
    const gate = gateOf(10);
    gate.pause(5_000);
    expect(await pass(gate)).toBe(5_000);
    expect(await pass(gate)).toBe(5_000);
  });

  it("is not shortened by a second pause", async () => {
    const gate = gateOf(10);
    gate.pause(5_000);
    gate.pause(1_000);
    expect(await pass(gate)).toBe(5_000);
  });

  it("of 0 ms holds nothing back", async () => {
    const gate = gateOf(10);
    gate.pause(0);
    expect(await pass(gate)).toBe(0);
    expect(waits).toEqual([]);
  });
});
