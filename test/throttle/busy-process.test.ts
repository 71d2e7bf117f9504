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
  const queue = queueOf([{ ok: false, waitMs: 60_000, askInMs: 60_000, pauseMs: 0 }]);
  const sent: number[] = [];
  const first = acquireFrom(queue).then(() => sent.push(1));
  await turn();
  // Its first slot is for the call before it.
  await Promise.all([first, acquireFrom(queue).then(() => sent.push(2))]);
  expect(sent).toEqual([1, 2]);
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
