/**
 * When each call that waits for a limit is sent: in order, even if a timer is late or calls are cancelled or held back.
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { localThrottle } from "../../src/throttle/local-throttle.js";
import type { ThrottleRequest } from "../../src/throttle/throttle.js";
import { type ThrottleLimits, windowsOf } from "../../src/throttle/throttle-options.js";
import { type CallCounter, CallQueue } from "../../src/throttle/waiting-calls.js";

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
  it("fail at once when a pause leaves them no time, also far behind the first ones", async () => {
    const { events, enter, pauseUntil } = throttleOf({ perMinute: 1 });
    for (let call = 1; call <= 70; call += 1) enter(`${call}`, call === 68 ? 75 * MINUTE : undefined);
    await pass(10_000);
    void pauseUntil(30 * MINUTE);
    await pass(0);
    expect(events).toEqual(["1 0", "68 gives up at 10000"]);
  });

  it("are sent one window after the actual time of the call before, if its timer was late", async () => {
    const { events, enter } = throttleOf({ perMinute: 1 });
    for (const name of ["a", "b"]) enter(name);
    await pass(MINUTE - 100);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 500);
    // It finds that the turn of the call before it has come.
    enter("c");
    await pass(0);
    expect(events).toEqual(["a 0", `b ${MINUTE + 400}`]);
    await pass(MINUTE - 1);
    expect(events).toHaveLength(2);
    await pass(1);
    expect(events.at(-1)).toBe(`c ${2 * MINUTE + 400}`);
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
    const { events, reportedWaits, enter } = throttleOf({ perMinute: 1 });
    const cancelA = enter("a");
    const [cancelB, cancelC, , cancelE] = ["b", "c", "d", "e"].map((name) => enter(name));
    await pass(0);
    cancelA();
    cancelC?.();
    cancelB?.();
    await pass(MINUTE);
    expect(events).toEqual(["a 0", "c is cancelled at 0", "b is cancelled at 0", `d ${MINUTE}`]);
    expect(reportedWaits).toEqual(["b", "c", "d", "e"].map((name, index) => `${name} ${(index + 1) * MINUTE}`));
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
  it.each([1, 25])("does not stop the calls after it: %i such calls", async (lost) => {
    const { events, enter } = throttleOf({ perMinute: 10 });
    for (let call = 0; call < 10; call += 1) enter("first");
    const timers = vi.spyOn(globalThis, "setTimeout");
    for (let call = 0; call < lost; call += 1) enter("lost");
    await pass(0);
    for (const { value } of timers.mock.results) clearTimeout(value);
    timers.mockRestore();
    enter("next");
    await pass(6 * MINUTE);
    expect(events.some((event) => event.startsWith("next"))).toBe(true);
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
});

describe("several processes with one store", () => {
  /** Queues whose counter answers after a time that differs from question to question, as Redis does. */
  function processes(count: number, perMinute: number) {
    const sent: number[] = [];
    let questions = 0;
    const counter: CallCounter = {
      windows: windowsOf({ other: { perMinute } }),
      spreadMs: 100,
      async take() {
        questions += 1;
        await new Promise((resolve) => setTimeout(resolve, questions % 3));
        const waitMs = (sent.at(-perMinute) ?? Number.NEGATIVE_INFINITY) + MINUTE - performance.now();
        if (waitMs > 0) return { waitMs, pauseMs: 0 };
        sent.push(performance.now());
        return "now";
      },
      pause() {},
    };
    const order: string[] = [];
    const queues = Array.from({ length: count }, () => new CallQueue(counter));
    const enter = (process: number, name: string, fields: Partial<ThrottleRequest> = {}) =>
      queues[process]!.acquire({ operation: "rooms.list", token: "", signal: undefined, onWait() {}, ...fields }).then(
        () => order.push(name),
        (reason) => order.push(`${name} ${reason}`),
      );
    return { enter, order, sent, questions: () => questions };
  }

  it("the call that has waited longest is sent first, although another process asks at the same time", async () => {
    const { enter, order } = processes(2, 1);
    void enter(0, "first");
    await pass(5);
    void enter(1, "early");
    await pass(50_000);
    void enter(0, "late");
    await pass(3 * MINUTE);
    expect(order).toEqual(["first", "early", "late"]);
  });

  it("a call that is cancelled while the store is asked leaves its turn to the next one", async () => {
    const { enter, order, sent } = processes(1, 1);
    const controller = new AbortController();
    void enter(0, "cancelled", { signal: controller.signal });
    void enter(0, "next");
    controller.abort("ended");
    await pass(10);
    expect(order).toEqual(["cancelled ended", "next"]);
    expect(sent).toHaveLength(1);
  });
});
