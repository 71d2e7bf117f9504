/** The order of calls that are due at the same moment. */
import { expect, test, vi } from "vitest";
import { CallQueue, type SlotAnswer } from "../../src/throttle/call-queue.js";
import type { ThrottleRequest } from "../../src/throttle/throttle.js";
import { windowsOf } from "../../src/throttle/throttle-options.js";
import { rejection } from "../support/recorder.js";

function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose source gives these answers, and then slots that begin at once. */
function queueOf(answers: SlotAnswer[]): CallQueue {
  const take = async (): Promise<SlotAnswer> => answers.shift() ?? { ok: true, inMs: 0 };
  return new CallQueue({ windows: windowsOf(), take, pause() {} });
}

const acquireFrom = (queue: CallQueue, fields: Partial<ThrottleRequest> = {}) =>
  queue.acquire({ operation: "webhooks.list", token: "token", signal: undefined, onWait() {}, ...fields });

test("a call that sleeps is sent before a later one that asks again at once", async () => {
  const slots = Array.from({ length: 5 }, () => ({ ok: true as const, inMs: 0 }));
  const answers: SlotAnswer[] = [{ ok: false, waitMs: 60_000, askInMs: 60_000, pauseMs: 0 }, ...slots];
  const queue = queueOf(answers);
  const sent: number[] = [];
  const first = acquireFrom(queue).then(() => sent.push(1));
  await turn();
  // The first of their slots is for the call before them.
  await Promise.all([first, ...[2, 3].map((call) => acquireFrom(queue).then(() => sent.push(call)))]);
  expect(sent).toEqual([1, 2, 3]);
  // One slot for each call.
  expect(answers).toHaveLength(2);
});

test("a call that is cancelled before its slot begins delays no call of another limit", async () => {
  const queue = queueOf([{ ok: true, inMs: 60_000 }]);
  const controller = new AbortController();
  const cancelled = rejection(acquireFrom(queue, { signal: controller.signal }));
  await turn();
  controller.abort("cancelled");
  expect(await cancelled).toBe("cancelled");
  const timers = vi.spyOn(globalThis, "setTimeout");
  await acquireFrom(queue, { operation: "meetings.upload" });
  expect(timers).not.toHaveBeenCalled();
  timers.mockRestore();
});

test("a call is sent when its slot begins, which is after the slot of the call before it", async () => {
  vi.useFakeTimers();
  const queue = queueOf([30, 26, 0, 60_000].map((inMs) => ({ ok: true, inMs })));
  const start = performance.now();
  const sentAt: number[] = [];
  for (let call = 0; call < 3; call += 1) void acquireFrom(queue).then(() => sentAt.push(performance.now() - start));
  const controller = new AbortController();
  const cancelled = rejection(acquireFrom(queue, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentAt).toEqual([30, 31, 32]);
  controller.abort("cancelled");
  expect(await cancelled).toBe("cancelled");
  expect(vi.getTimerCount()).toBe(0);
});

test("calls are sent in order if the process was busy when their slots began", async () => {
  const queue = queueOf([30, 26, 30].map((inMs) => ({ ok: true, inMs })));
  const sent: number[] = [];
  const calls: Promise<unknown>[] = [];
  for (const index of [0, 1, 2, 3]) {
    // The last call gets a slot at once, when those of the others have begun.
    if (index === 3) blockFor(60);
    calls.push(acquireFrom(queue).then(() => sent.push(index)));
    if (index < 3) await turn();
    blockFor(5);
  }
  await Promise.all(calls);
  expect(sent).toEqual([0, 1, 2, 3]);
});
