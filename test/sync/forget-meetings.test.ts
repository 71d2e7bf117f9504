import { memoryStore, type StoreBatch } from "notetaker-sdk";
import { forgetMeetings } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { forgetOlder } from "../../src/sync/forget-meetings.js";
import { itemOf, write } from "./store/store-items.js";

test("forgetMeetings removes meetings, also if a run writes one of them meanwhile", async () => {
  const store = memoryStore();
  await write(store, [itemOf("mtg_1"), itemOf("mtg_2"), itemOf("mtg_3")]);
  const { readMemory } = store;
  let isWritten = false;
  const raced = Object.assign(Object.create(store), {
    async readMemory(ids: readonly string[]) {
      const memory = await readMemory.call(store, ids);
      if (!isWritten) await write(store, [itemOf("mtg_1", { before: itemOf("mtg_1").memory, memory: "newer" })]);
      isWritten = true;
      return memory;
    },
    write: store.write.bind(store),
  });
  await forgetMeetings(raced, ["mtg_1", "mtg_2", "mtg_unknown", "mtg_2"]);
  expect([...store.meetings.keys()]).toEqual(["mtg_3"]);
});

test.each<[unknown]>([[["doc_1"]], [["mtg_/"]], [7], [[7]]])("forgetMeetings refuses %j", async (ids) => {
  await expect(forgetMeetings(memoryStore(), ids as string[])).rejects.toMatchObject({ name: "InvalidArgumentError" });
});

/** A memory of a meeting that began in 2020. */
const OLD = { memory: JSON.stringify({ seen: { start: "2020-01-01T09:00:00Z", title: null }, parts: {}, v: 3 }) };

test("forgetOlder forgets the others if the store refuses one, also one whose id cannot be sent", async () => {
  const store = memoryStore();
  const ids = ["mtg_a b", ...Array.from({ length: 250 }, (_, index) => `mtg_${index}`)];
  await write(store, [itemOf("mtg_new"), ...ids.map((id) => itemOf(id, OLD))]);
  let asked = 0;
  const refusing = Object.assign(Object.create(store), {
    readMemory: store.readMemory.bind(store),
    ids(after: string | undefined, max: number) {
      asked += 1;
      return store.ids(after, max);
    },
    async write(batch: StoreBatch, lock: undefined) {
      if (batch.removed.some(({ id }) => id === "mtg_7")) throw new Error("FOREIGN KEY constraint failed");
      return store.write(batch, lock);
    },
  });
  const { forgotten, refused } = await forgetOlder(refusing, new Date());
  expect([forgotten, refused]).toEqual([250, [{ id: "mtg_7", error: new Error("FOREIGN KEY constraint failed") }]]);
  expect([...store.meetings.keys()].sort()).toEqual(["mtg_7", "mtg_new"]);
  // A folder reads all that it keeps for each answer.
  expect(asked).toBe(1);
});

test("forgetOlder rejects if the store is away", async () => {
  const store = memoryStore();
  await write(store, [itemOf("mtg_1", OLD), itemOf("mtg_2", OLD)]);
  const away = async () => {
    throw new Error("away");
  };
  const restarting = Object.assign(Object.create(store), {
    ids: store.ids.bind(store),
    readMemory: store.readMemory.bind(store),
    async write() {
      restarting.readMemory = away;
      return away();
    },
  });
  await expect(forgetOlder(restarting, new Date())).rejects.toThrow("away");
});
