import { memoryStore } from "notetaker-sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { storeContract } from "./store-contract.js";
import { itemOf, meetingOf } from "./store-items.js";

storeContract("memoryStore", async () => {
  const store = memoryStore();
  return { store, another: () => store, read: async (id) => store.meetings.get(id) };
});

test("the meetings are in the order in which they were first seen, and an entry is replaced, not changed", async () => {
  const store = memoryStore();
  const write = (...items: ReturnType<typeof itemOf>[]) => store.write({ items, removed: [] }, undefined);
  await write(itemOf("mtg_2"), itemOf("mtg_3", { meeting: undefined }));
  await write(itemOf("mtg_1"));
  const first = store.meetings.get("mtg_2");
  await write(itemOf("mtg_2", { before: itemOf("mtg_2").memory, meeting: meetingOf("mtg_2", "New") }));
  expect([...store.meetings.keys()]).toEqual(["mtg_2", "mtg_1"]);
  expect(first?.meeting.title).toBe("Title of mtg_2");
  expect(store.meetings.get("mtg_2")?.meeting.title).toBe("New");
});

test("the lock of a run that the runtime has stopped ends, and that of a running one does not", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  expect(await store.lock?.()).toHaveProperty("release");
  await vi.advanceTimersByTimeAsync(3_600_000);
  const held = (await store.lock?.()) as { heldUntil: Date };
  expect(held.heldUntil.getTime()).toBeGreaterThan(Date.now());

  // Workers stop the timers of a request with it.
  vi.clearAllTimers();
  await vi.advanceTimersByTimeAsync(held.heldUntil.getTime() - Date.now());
  expect(await store.lock?.()).toHaveProperty("release");
});

test("the end of a lock stays the same until it is renewed, so that a run that waits for it does not take it for renewed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  const lock = async () => (await store.lock?.()) as { heldUntil: Date };
  await lock();
  const { heldUntil } = await lock();
  // The clock of the system and that of the process do not begin their milliseconds at the same time.
  vi.setSystemTime(Date.now() + 1);
  expect(await lock()).toEqual({ heldUntil });
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await lock()).heldUntil.getTime()).toBeGreaterThan(heldUntil.getTime() + 9_000);
});
