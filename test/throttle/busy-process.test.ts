/** The order of calls whose timers are all late. */
import { expect, test } from "vitest";
import { CallQueue, type SlotSource } from "../../src/throttle/call-queue.js";
import { windowsOf } from "../../src/throttle/throttle-options.js";

function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

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
    const request = { operation: "webhooks.list", token: "token", signal: undefined, onWait() {} };
    // The last call gets a slot at once, when those of the others have begun.
    if (index === 3) blockFor(60);
    calls.push(queue.acquire(request).then(() => sent.push(index)));
    if (index < 3) await turn();
    blockFor(5);
  }
  await Promise.all(calls);
  expect(sent).toEqual([0, 1, 2, 3]);
});
