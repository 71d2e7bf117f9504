import { memoryStore } from "notetaker-sdk";
import { forgetMeetings } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
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
