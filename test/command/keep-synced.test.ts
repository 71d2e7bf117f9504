/** `sync --follow --keep-days` forgets once a day, and goes on. */
import { memoryStore, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { afterEach, expect, it, vi } from "vitest";
import { keepSynced } from "../../src/command/keep-synced.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("a run that follows waits for a database that restarts when it forgets, but not for one that it never reached", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const days: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    days.push(new AbortController());
    return (days.at(-1) as AbortController).signal;
  });
  const store = memoryStore();
  let fails = 0;
  const ids = async (after: string | undefined, max: number) => {
    fails -= 1;
    if (fails >= 0) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    return store.ids(after, max);
  };
  const into = Object.assign(Object.create(store), { ids });
  for (const name of ["readState", "readMemory", "due", "write"] as const) into[name] = store[name].bind(store);
  const controller = new AbortController();
  const notetaker = new Notetaker(createEmulator().clientOptions);
  const run = () => keepSynced(notetaker, { into, follow: true, signal: controller.signal }, 90, () => {});
  fails = 1;
  await expect(run()).rejects.toThrow("ECONNREFUSED");
  const running = run();
  running.catch(() => {});
  const reach = async (day: number) => {
    while (days.length < day) await Promise.race([running, vi.advanceTimersByTimeAsync(1_000)]);
  };
  await reach(1);
  fails = 3;
  days[0]?.abort();
  await reach(2);
  expect(fails).toBeLessThan(0);
  controller.abort(new Error("ended"));
  await expect(running).rejects.toThrow("ended");
});
