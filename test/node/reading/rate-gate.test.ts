/** How many requests may begin in a minute, and what the service's own window adds to that. */
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

/** Whether one more request may begin at once. */
async function isOpen(gate: RateGate): Promise<boolean> {
  let isEntered = false;
  void gate.enter(never).then(() => {
    isEntered = true;
  });
  await aTurn();
  return isEntered;
}

describe("a gate", () => {
  it("lets so many requests through in a minute, and the next one a minute after the first ended", async () => {
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

  it("sends one request first: what others use of the quota is not known before its response", async () => {
    const gate = gateOf(10);
    await gate.enter(never);
    expect(await isOpen(gate)).toBe(false);
    gate.leave(undefined);
    await aTurn();
    expect(gate.count).toBe(2);
    expect(waits).toEqual([]);
    expect(await isOpen(gate)).toBe(true);
  });

  it("counts no request that is not let through", async () => {
    const gate = gateOf(1);
    const aborted = new AbortController();
    aborted.abort("enough");
    expect(await rejection(gate.enter(aborted.signal))).toBe("enough");
    expect(gate.count).toBe(0);
    expect(await pass(gate)).toBe(0);
  });

  it("ends a wait with the reason of the signal, and lets the next one through", async () => {
    const gate = gateOf(1);
    await pass(gate);
    const controller = new AbortController();
    controller.abort("enough");
    expect(await rejection(gate.enter(controller.signal))).toBe("enough");
    expect(await pass(gate)).toBe(MINUTE);
  });
});

describe("the service's window", () => {
  it("that is used up holds requests back until it is over", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 20_000));
    expect(await pass(gate)).toBe(20_000);
    expect(waits).toEqual([20_000]);
  });

  it("is waited for once: the next response says more", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 20_000));
    await pass(gate);
    expect(await pass(gate)).toBe(20_000);
  });

  it("lets as many requests begin as remain", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(2, 20_000));
    expect([await isOpen(gate), await isOpen(gate), await isOpen(gate)]).toEqual([true, true, false]);
  });

  it("never holds requests back for more than a minute, whatever its clock says", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, 3_600_000));
    expect(await pass(gate)).toBe(MINUTE);
  });

  it("that is over holds nothing back", async () => {
    const gate = gateOf(10);
    await pass(gate, windowWith(0, -1));
    expect(await pass(gate)).toBe(0);
  });

  it.each([
    ["a smaller remainder of the same window is newer", [5, 30_000], [0, 30_000], 30_000],
    ["a larger remainder of the same window is older", [0, 30_000], [5, 30_000], 30_000],
    ["a later window is newer, whatever remains", [0, 30_000], [5, 40_000], 0],
    ["an earlier window is older, whatever remains", [5, 40_000], [0, 30_000], 0],
    ["a response without it says nothing", [0, 30_000], undefined, 30_000],
  ] as const)("as %s", async (_, first, second, waitMs) => {
    const gate = gateOf(10);
    await pass(gate, windowWith(9, 10_000));
    await gate.enter(never);
    await gate.enter(never);
    gate.leave(windowWith(first[0], first[1]));
    gate.leave(second && windowWith(second[0], second[1]));
    expect(await pass(gate)).toBe(waitMs);
  });
});

describe("a pause", () => {
  it("holds every request back until it is over", async () => {
    const gate = gateOf(10);
    gate.pause(5_000);
    expect(await pass(gate)).toBe(5_000);
    expect(await pass(gate)).toBe(5_000);
  });

  it("is not shortened by another", async () => {
    const gate = gateOf(10);
    gate.pause(5_000);
    gate.pause(1_000);
    expect(await pass(gate)).toBe(5_000);
  });

  it("of nothing holds nothing back", async () => {
    const gate = gateOf(10);
    gate.pause(0);
    expect(await pass(gate)).toBe(0);
    expect(waits).toEqual([]);
  });
});
