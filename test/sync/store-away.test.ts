/** A store that is away for a moment has not refused what it is to store. */
import { expect, test } from "vitest";
import { Notetaker } from "../../src/client.js";
import { memoryStore } from "../../src/sync/memory-store.js";
import type { MeetingStore, StoreBatch, StoreLock } from "../../src/sync/store.js";
import { syncMeetings } from "../../src/sync/sync-meetings.js";
import { createEmulator } from "../../src/testing/emulator.js";

test("what a database could not store while it restarted is stored later", async () => {
  const service = createEmulator();
  const into = memoryStore();
  let failures = 0;
  const restarting: MeetingStore = Object.assign(Object.create(into) as MeetingStore, {
    async write(batch: StoreBatch, lock: StoreLock | undefined) {
      const isContent = batch.items.some(({ transcript }) => transcript !== undefined);
      if (isContent && failures < 2) {
        failures += 1;
        throw new Error("connect ECONNREFUSED");
      }
      return into.write(batch, lock);
    },
    readState: () => into.readState(),
    readMemory: (ids: readonly string[]) => into.readMemory(ids),
    due: (until: Date, max: number) => into.due(until, max),
    ids: (after: string | undefined, max: number) => into.ids(after, max),
  });
  const { missing } = await syncMeetings(new Notetaker(service.clientOptions), { into: restarting });
  expect(missing.filter(({ message }) => message.includes("ECONNREFUSED"))).toEqual([]);
  expect(failures).toBe(2);
});
