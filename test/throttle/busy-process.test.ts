/** The order of calls that are due at the same moment. */
import { expect, test } from "vitest";
import { CallQueue, type SlotAnswer, type SlotSource } from "../../src/throttle/call-queue.js";
import { windowsOf } from "../../src/throttle/throttle-options.js";

function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const acquireFrom = (queue: CallQueue) =>
  queue.acquire({ operation: "webhooks.list", token: "token", signal: undefined, onWait() {} });

test("a call that sleeps is sent before a later one that asks again at once", async () => {
  const answers: SlotAnswer[] = [{ ok: false, waitMs: 60_000, askInMs: 60_000, pauseMs: 0 }];
  const source: SlotSource = {
    windows: windowsOf(),
    take: async () => answers.shift() ?? { ok: true, inMs: 0 },
    pause() {},
  };
  const queue = new CallQueue(source);
  const sent: number[] = [];
  const first = acquireFrom(queue).then(() => sent.push(1));
  await turn();
  // Its first slot is for the call before it.
  await Promise.all([first, acquireFrom(queue).then(() => sent.push(2))]);
  expect(sent).toEqual([1, 2]);
});

test("calls are sent in order if the process was busy when their slots began", async () => {
  const waits = [30, 26, 30];
  const source: SlotSource = {
    windows: windowsOf(),
    take: async () => ({ ok: true, inMs: waits.shift() ?? 0 }),
    pause() {},
  };
  const queue = new CallQueue(source);
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
