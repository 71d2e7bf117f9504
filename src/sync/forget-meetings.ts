/** Removes meetings from a store for good, for example because a customer asks for it. */
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { parseTimestamp } from "../schemas/primitives.js";
import { FORGOTTEN, parseMemory } from "./memory.js";
import type { MeetingStore } from "./store.js";
import { idsIssues, storeArgument } from "./sync-options.js";

/** How many meetings are removed in one write. */
const AT_ONCE = 100;

/**
 * Removes everything that a store keeps of these meetings, also beside a run. No later run requests them again, whoever
 * names their ids. Resolves when it is done. What has left the store, such as a message that was posted, stays.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid id; nothing was removed
 * @throws {StoreLockLostError} {@link StoreLockLostError} if another run holds a store that only one process may write,
 * for example a folder
 * @example
 * await forgetMeetings(sqliteStore(new DatabaseSync("meetings.sqlite")), ["mtg_7f3k"]);
 */
export async function forgetMeetings(store: MeetingStore, ids: readonly string[]): Promise<void> {
  checkArgument("forgetMeetings", storeArgument, { store });
  const issues = idsIssues(ids, "ids");
  if (issues.length > 0) throw new InvalidArgumentError({ operation: "forgetMeetings", issues });
  let rest: readonly string[] = [...new Set(ids)];
  while (rest.length > 0) {
    const some = rest.slice(0, AT_ONCE);
    const memory = await store.readMemory(some);
    const removed = some.map((id) => ({ id, before: memory.get(id), memory: FORGOTTEN }));
    // A run has written these meanwhile: they are removed as they are then.
    const conflicts = await store.write({ items: [], removed }, undefined);
    rest = [...conflicts, ...rest.slice(AT_ONCE)];
  }
}

/** Forgets the meetings that began before a time. Resolves to how many; one whose start cannot be read stays. */
export async function forgetOlder(store: MeetingStore, than: Date): Promise<number> {
  let count = 0;
  for (let after: string | undefined; ; ) {
    const ids = await store.ids(after, AT_ONCE);
    const memories = await store.readMemory(ids);
    const startOf = (id: string) => parseTimestamp(parseMemory(memories.get(id)).memory?.seen?.start ?? "");
    const old = ids.filter((id) => startOf(id) < than.getTime());
    await forgetMeetings(store, old);
    count += old.length;
    after = ids.at(-1);
    if (ids.length < AT_ONCE) return count;
  }
}
