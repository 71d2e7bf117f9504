/** When each call of one limit goes. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LimitQueue, type WaitingCall } from "../../../src/transport/throttle/limit-queue.js";
import type { RateWindow } from "../../../src/transport/throttle/throttle-options.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A queue, with what became of the calls that entered it, and when. */
function queueOf(...windows: RateWindow[]) {
  const queue = new LimitQueue(windows);
  const start = performance.now();
  const events: string[] = [];
  const enter = (name: string, latestAt = Number.POSITIVE_INFINITY): WaitingCall => {
    const now = performance.now();
    const call: WaitingCall = {
      at: queue.nextAt(now),
      latestAt: start + latestAt,
      go: (at) => void events.push(`${name} ${at - start}`),
      giveUp: () => void events.push(`${name} gives up at ${performance.now() - start}`),
    };
    if (call.at > now) queue.enqueue(call);
    else {
      queue.take(now);
      call.go(now);
    }
    return call;
  };
  return { queue, start, events, enter };
}

const pass = (ms: number) => vi.advanceTimersByTime(ms);
const one: RateWindow = { windowMs: 1_000, max: 1 };
const two: RateWindow = { windowMs: 1_000, max: 2 };

describe("a queue", () => {
  it("lets each call go a window and a margin after the one that it must follow", () => {
    const { events, enter } = queueOf(two);
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) enter(name);
    expect(events).toEqual(["a 0", "b 0"]);
    pass(1_099);
    expect(events).toHaveLength(2);
    pass(10_000);
    expect(events.slice(2)).toEqual(["c 1100", "d 1100", "e 2200", "f 2200", "g 3300"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("keeps all of its windows, for any number of calls", () => {
    const { events, enter } = queueOf(one, { windowMs: 10_000, max: 4 });
    for (let call = 1; call <= 12; call += 1) enter(`${call}`);
    pass(60_000);
    const times = [0, 1_100, 2_200, 3_300, 10_100, 11_200, 12_300, 13_400, 20_200, 21_300, 22_400, 23_500];
    expect(events).toEqual(times.map((at, index) => `${index + 1} ${at}`));
  });

  it("counts on when calls go at once for a long time", () => {
    const { events, enter } = queueOf(two);
    for (let call = 0; call < 9; call += 1) {
      enter("a");
      pass(600);
    }
    enter("b");
    enter("c");
    pass(5_000);
    expect(events.slice(-2)).toEqual(["b 5400", "c 5900"]);
  });

  it("plans from the time at which a call really went, if its timer was late", () => {
    const { events, enter } = queueOf(one);
    enter("a");
    enter("b");
    enter("c");
    const now = performance.now.bind(performance);
    let lateMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now() + lateMs);
    pass(1_000);
    lateMs = 500;
    pass(100);
    expect(events).toEqual(["a 0", "b 1600"]);
    pass(1_099);
    expect(events).toHaveLength(2);
    pass(1);
    expect(events.at(-1)).toBe("c 2700");
  });
});

describe("a call that is removed", () => {
  it("leaves its place to those behind it, and no timer when it was the last", () => {
    const { queue, events, enter } = queueOf(one);
    enter("a");
    const b = enter("b");
    const c = enter("c");
    const d = enter("d");
    queue.remove(c);
    queue.remove(b);
    expect(d.at - performance.now()).toBe(1_100);
    queue.remove(d);
    expect(vi.getTimerCount()).toBe(0);
    pass(10_000);
    expect(events).toEqual(["a 0"]);
  });

  it("changes nothing if it has gone already", () => {
    const { queue, events, enter } = queueOf(one);
    const a = enter("a");
    enter("b");
    enter("c");
    queue.remove(a);
    pass(10_000);
    expect(events).toEqual(["a 0", "b 1100", "c 2200"]);
  });
});

describe("a queue that is held", () => {
  it("lets nothing go before, and then each at its distance; a shorter hold does not end a longer one", () => {
    const { queue, start, events, enter } = queueOf(one);
    enter("a");
    enter("b");
    enter("c");
    queue.holdUntil(start + 5_000);
    queue.holdUntil(start + 3_000);
    enter("d");
    pass(20_000);
    expect(events).toEqual(["a 0", "b 5000", "c 6100", "d 7200"]);
  });

  it("refuses at once those that cannot wait so long, and they take no place", () => {
    const { queue, start, events, enter } = queueOf(one);
    enter("a");
    enter("b", 4_999);
    enter("c", 5_000);
    enter("d", 6_000);
    queue.holdUntil(start + 5_000);
    expect(events).toEqual(["a 0", "b gives up at 0", "d gives up at 0"]);
    pass(20_000);
    expect(events.slice(3)).toEqual(["c 5000"]);
  });
});

describe("a call that went later than it was counted", () => {
  it.each([
    ["after the others", 700, [1_200, 1_300, 1_800]],
    ["between the others", 150, [1_200, 1_250, 1_300]],
    ["before the others", 50, [1_150, 1_200, 1_300]],
  ])("is counted at its real time, %s", (_, after, times) => {
    const { queue, start, events, enter } = queueOf({ windowMs: 1_000, max: 3 });
    enter("a");
    pass(100);
    enter("b");
    pass(100);
    enter("c");
    pass(600);
    for (const name of ["d", "e", "f"]) enter(name);
    queue.correct(start, start + after);
    pass(5_000);
    expect(events.slice(3)).toEqual(times.map((at, index) => `${"def"[index]} ${at}`));
  });

  it("changes nothing if it is not counted any more", () => {
    const { queue, start, events, enter } = queueOf(one);
    enter("a");
    enter("b");
    queue.correct(start - 5_000, start + 900);
    pass(5_000);
    expect(events).toEqual(["a 0", "b 1100"]);
  });
});
