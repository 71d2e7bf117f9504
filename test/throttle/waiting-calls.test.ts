/**
 * When each call that waits for a limit is sent: in order, even if a timer is late or calls are cancelled or held back.
 */
import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { localThrottle } from "../../src/throttle/local-throttle.js";
import type { ThrottleLimits } from "../../src/throttle/throttle-options.js";

beforeEach(() => void vi.useFakeTimers());

/** A minute, and a margin for requests that take different times. */
const MINUTE = 60_300;
const HOUR = 3_600_300;

/** A throttle of bots, with the result and the time of each call. */
function throttleOf(sendBot: ThrottleLimits["sendBot"]) {
  const throttle = localThrottle({ sendBot });
  const start = performance.now();
  const operation = "meetings.sendBot";
  const events: string[] = [];
  const note = (name: string) => events.push(`${name} ${performance.now() - start}`);
  const reportedWaits: string[] = [];
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
      onWait(waitMs: number) {
        if (performance.now() + waitMs > start + latestAt) throw "gives up at";
        reportedWaits.push(`${name} ${waitMs}`);
      },
    };
    throttle.acquire(request).then(
      () => note(name),
      (reason) => note(`${name} ${reason}`),
    );
    return () => controller.abort("is cancelled at");
  };
  const pauseUntil = (at: number) =>
    throttle.pause({ operation, token: "token", limit: undefined, pauseMs: start + at - performance.now() });
  return { events, reportedWaits, enter, pauseUntil };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("calls that wait for a limit", () => {
  it("respect all windows of their limit, however many calls wait", async () => {
    const { events, enter } = throttleOf({ perMinute: 1, perHour: 4 });
    for (let call = 1; call <= 12; call += 1) enter(`${call}`);
    await pass(4 * HOUR);
    const times = [0, 1, 2].flatMap((hour) => [0, 1, 2, 3].map((minute) => hour * HOUR + minute * MINUTE));
    expect(events).toEqual(times.map((at, index) => `${index + 1} ${at}`));
  });

  it("report their wait once, and do not keep listening to their signal", async () => {
    const { events, reportedWaits, enter } = throttleOf({ perMinute: 1 });
    const controller = new AbortController();
    for (const name of ["a", "b", "c"]) enter(name, undefined, controller);
    await pass(3 * MINUTE);
    expect(events).toEqual(["a 0", `b ${MINUTE}`, `c ${2 * MINUTE}`]);
    expect(reportedWaits).toEqual([`b ${MINUTE}`, `c ${2 * MINUTE}`]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("fail soon after a pause leaves them no time, also far behind the first ones", async () => {
    const { events, enter, pauseUntil } = throttleOf({ perMinute: 1 });
    // It is far behind, so it asks once a minute.
    for (let call = 1; call <= 70; call += 1) enter(`${call}`, call === 68 ? 75 * MINUTE : undefined);
    await pass(10_000);
    void pauseUntil(30 * MINUTE);
    await pass(49_000);
    expect(events).toEqual(["1 0"]);
    await pass(1_000);
    expect(events).toEqual(["1 0", "68 gives up at 60000"]);
  });

  it("are not sent, and not counted, if their signal has aborted before", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    const controller = new AbortController();
    controller.abort("is cancelled at");
    enter("a", undefined, controller);
    enter("b");
    await pass(0);
    expect(events).toEqual(["a is cancelled at 0", "b 0"]);
  });

  it("are sent one window after the actual time of the call before, if its timer was late", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b"]) enter(name);
    await pass(MINUTE - 100);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 500);
    enter("c");
    await pass(100);
    expect(events).toEqual(["a 0", `b ${MINUTE + 500}`]);
    await pass(MINUTE - 1);
    expect(events).toHaveLength(2);
    await pass(2 * MINUTE);
    expect(events.at(-1)).toBe(`c ${2 * MINUTE + 500}`);
  });

  it("are rejected at once behind any number of calls, if their turn would come after their deadline", async () => {
    const { events, enter } = throttleOf({ perMinute: 10, perHour: 60 });
    for (let call = 0; call < 200; call += 1) enter("-");
    await pass(0);
    // The 201st call is one of the fourth hour's. It is the third of its ten, which are sent in the third minute.
    enter("late", 3 * HOUR - 1);
    enter("in time", 3 * HOUR + 2 * MINUTE);
    await pass(0);
    expect(events.slice(10)).toEqual(["late gives up at 0"]);
    await pass(4 * HOUR);
    expect(events.at(-1)).toBe(`in time ${3 * HOUR + 2 * MINUTE}`);
  });
});

describe("a cancelled call", () => {
  it("leaves its place to the calls after it, and leaves no timer if it was the last", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    const cancelA = enter("a");
    const [cancelB, cancelC, , cancelE] = ["b", "c", "d", "e"].map((name) => enter(name));
    await pass(0);
    cancelA();
    cancelC?.();
    cancelB?.();
    await pass(MINUTE);
    expect(events).toEqual(["a 0", "c is cancelled at 0", "b is cancelled at 0", `d ${MINUTE}`]);
    expect(vi.getTimerCount()).toBe(1);
    cancelE?.();
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
    await pass(10 * MINUTE);
    expect(events.slice(4)).toEqual([`e is cancelled at ${MINUTE}`]);
  });

  it("is quick to leave, however many calls one signal cancels", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    const controller = new AbortController();
    enter("first");
    for (let index = 0; index < 3_000; index += 1) enter("cancelled", undefined, controller);
    enter("last");
    controller.abort("at");
    await pass(MINUTE);
    expect(events.filter((event) => event === "cancelled at 0")).toHaveLength(3_000);
    expect(events.at(-1)).toBe(`last ${MINUTE}`);
  });
});

describe("a call whose request has ended in an edge worker, which has stopped its timer", () => {
  it.each([1, 25])("does not stop the calls after it, and loses its place: %i such calls", async (lost) => {
    const { events, enter } = throttleOf({ perMinute: 10 });
    for (let call = 0; call < 10; call += 1) enter("first");
    const timers = vi.spyOn(globalThis, "setTimeout");
    for (let call = 0; call < lost; call += 1) enter("lost");
    await pass(0);
    for (const { value } of timers.mock.results) clearTimeout(value);
    timers.mockRestore();
    enter("next");
    await pass(MINUTE);
    expect(events.slice(10)).toEqual([`next ${MINUTE}`]);
  });
});

describe("calls that are held back", () => {
  it("are sent after the longest pause, one after the other", async () => {
    const { events, enter, pauseUntil } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b", "c"]) enter(name);
    pauseUntil(500_000);
    pauseUntil(300_000);
    enter("d");
    await pass(20 * MINUTE);
    expect(events).toEqual(["a 0", "b 500000", `c ${500_000 + MINUTE}`, `d ${500_000 + 2 * MINUTE}`]);
  });

  it("are rejected if they cannot wait so long, at the latest after a minute, and take no place", async () => {
    const { events, enter, pauseUntil } = throttleOf({ perMinute: 1 });
    enter("a");
    enter("b", 499_999);
    enter("c", 500_000);
    enter("d", 500_001);
    pauseUntil(500_000);
    await pass(60_000);
    expect(events.map((event) => event.replace(/ at .*/, ""))).toEqual(["a 0", "b gives up", "d gives up"]);
    await pass(20 * MINUTE);
    expect(events.slice(3)).toEqual(["c 500000"]);
  });
});
