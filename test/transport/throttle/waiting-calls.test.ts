/**
 * When each call that waits for a limit is sent: in order, even if a timer is late or calls are cancelled or held back.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Limit } from "../../../src/transport/throttle/limit.js";
import { LocalThrottle } from "../../../src/transport/throttle/local-throttle.js";
import type { ThrottleLimits } from "../../../src/transport/throttle/throttle-options.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A minute, and a margin for requests that take different times. */
const MINUTE = 60_100;
const HOUR = 3_600_100;

/** A throttle of bots, with the result and the time of each call. */
function throttleOf(sendBot: ThrottleLimits["sendBot"]) {
  const throttle = new LocalThrottle({ sendBot });
  const start = performance.now();
  const operation = "meetings.sendBot";
  const events: string[] = [];
  const note = (name: string) => events.push(`${name} ${performance.now() - start}`);
  /** Returns a function that cancels the call. */
  const enter = (
    name: string,
    latestAt = Number.POSITIVE_INFINITY,
    controller = new AbortController(),
  ): (() => void) => {
    const request = {
      operation,
      token: "token",
      signal: controller.signal,
      remainingMs: () => start + latestAt - performance.now(),
      onWait: () => {},
      createTimeoutError: () => "gives up at",
    };
    throttle.acquire(request).then(
      () => note(name),
      (reason) => note(`${name} ${reason}`),
    );
    return () => controller.abort("is cancelled at");
  };
  const holdUntil = (at: number) =>
    throttle.hold({ operation, token: "token", limit: undefined, holdMs: start + at - performance.now() });
  return { events, enter, holdUntil };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("calls that wait for a limit", () => {
  it("are sent a minute and a margin after the call that each must follow", async () => {
    const { events, enter } = throttleOf({ perMinute: 2 });
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) enter(name);
    await pass(0);
    expect(events).toEqual(["a 0", "b 0"]);
    await pass(MINUTE - 1);
    expect(events).toHaveLength(2);
    await pass(10 * MINUTE);
    const later = [`c ${MINUTE}`, `d ${MINUTE}`, `e ${2 * MINUTE}`, `f ${2 * MINUTE}`, `g ${3 * MINUTE}`];
    expect(events.slice(2)).toEqual(later);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("respect all windows of their limit, however many calls wait", async () => {
    const { events, enter } = throttleOf({ perMinute: 1, perHour: 4 });
    for (let call = 1; call <= 12; call += 1) enter(`${call}`);
    await pass(4 * HOUR);
    const times = [0, 1, 2].flatMap((hour) => [0, 1, 2, 3].map((minute) => hour * HOUR + minute * MINUTE));
    expect(events).toEqual(times.map((at, index) => `${index + 1} ${at}`));
  });

  it("are counted correctly after calls were sent at once for a long time", async () => {
    const { events, enter } = throttleOf({ perMinute: 2 });
    for (let call = 0; call < 9; call += 1) {
      enter("a");
      await pass(40_000);
    }
    enter("b");
    enter("c");
    await pass(5 * MINUTE);
    expect(events.slice(-2)).toEqual(["b 360000", `c ${320_000 + MINUTE}`]);
  });

  it("are planned from the actual time of the call before, if its timer was late", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b", "c"]) enter(name);
    await pass(MINUTE - 100);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 500);
    await pass(100);
    expect(events).toEqual(["a 0", `b ${MINUTE + 500}`]);
    await pass(MINUTE - 1);
    expect(events).toHaveLength(2);
    await pass(1);
    expect(events.at(-1)).toBe(`c ${2 * MINUTE + 500}`);
  });

  it("are sent before a call that is made while their timer is late", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b"]) enter(name);
    await pass(MINUTE - 100);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 500);
    enter("c");
    await pass(0);
    expect(events).toEqual(["a 0", `b ${MINUTE + 400}`]);
    await pass(2 * MINUTE);
    expect(events.at(-1)).toBe(`c ${2 * MINUTE + 400}`);
  });
});

describe("a cancelled call", () => {
  it("leaves its place to the calls after it, and leaves no timer if it was the last", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    enter("a");
    const [cancelB, cancelC, , cancelE] = ["b", "c", "d", "e"].map((name) => enter(name));
    await pass(0);
    cancelC?.();
    cancelB?.();
    await pass(MINUTE);
    expect(events.slice(1)).toEqual(["c is cancelled at 0", "b is cancelled at 0", `d ${MINUTE}`]);
    expect(vi.getTimerCount()).toBe(1);
    cancelE?.();
    expect(vi.getTimerCount()).toBe(0);
    await pass(10 * MINUTE);
    expect(events.slice(4)).toEqual([`e is cancelled at ${MINUTE}`]);
  });

  it("causes a single new plan, however many calls one signal cancels", async () => {
    const plans = vi.spyOn(Limit.prototype, "forgetPlans");
    const { events, enter } = throttleOf({ perMinute: 1 });
    const controller = new AbortController();
    enter("first");
    for (let index = 0; index < 500; index += 1) enter("cancelled", undefined, controller);
    enter("last");
    plans.mockClear();
    controller.abort("at");
    await pass(MINUTE);
    expect(events.filter((event) => event === "cancelled at 0")).toHaveLength(500);
    expect(events.at(-1)).toBe(`last ${MINUTE}`);
    // For each of the four limits: once after the signal, and once when the last call is sent.
    expect(plans).toHaveBeenCalledTimes(2 * 4);
  });

  it("changes nothing if it was already sent", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    const [cancelA] = ["a", "b", "c"].map((name) => enter(name));
    cancelA?.();
    await pass(10 * MINUTE);
    expect(events).toEqual(["a 0", `b ${MINUTE}`, `c ${2 * MINUTE}`]);
  });
});

describe("calls that are held back", () => {
  it("are sent after the longest hold, one after the other", async () => {
    const { events, enter, holdUntil } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b", "c"]) enter(name);
    holdUntil(500_000);
    holdUntil(300_000);
    enter("d");
    await pass(20 * MINUTE);
    expect(events).toEqual(["a 0", "b 500000", `c ${500_000 + MINUTE}`, `d ${500_000 + 2 * MINUTE}`]);
  });

  it("are rejected at once if they cannot wait so long, and take no place", async () => {
    const { events, enter, holdUntil } = throttleOf({ perMinute: 1 });
    enter("a");
    enter("b", 499_999);
    enter("c", 500_000);
    enter("d", 500_001);
    holdUntil(500_000);
    await pass(0);
    expect(events).toEqual(["a 0", "b gives up at 0", "d gives up at 0"]);
    await pass(20 * MINUTE);
    expect(events.slice(3)).toEqual(["c 500000"]);
  });
});
