/** Removes meetings from a store for good, for example because a customer asks for it. */
import { throwIfAborted } from "../async/abort.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { parseTimestamp } from "../schemas/primitives.js";
import { FORGOTTEN, parseMemory } from "./memory.js";
import { isLockLost, type MeetingStore } from "./store.js";
import { idsIssues, storeArgument } from "./sync-options.js";

/** How many meetings are removed in one write. */
const AT_ONCE = 100;
/** How many ids are read at once: for each answer, a folder reads all that it keeps. */
const IDS_AT_ONCE = 100_000;

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
  await forget(store, [...new Set(ids)]);
}

async function forget(store: MeetingStore, ids: readonly string[]): Promise<void> {
  let rest = ids;
  while (rest.length > 0) {
    const some = rest.slice(0, AT_ONCE);
    const memory = await store.readMemory(some);
    const removed = some.map((id) => ({ id, before: memory.get(id), memory: FORGOTTEN }));
    // A run has written these meanwhile: they are removed as they are then.
    const conflicts = await store.write({ items: [], removed }, undefined);
    rest = [...conflicts, ...rest.slice(AT_ONCE)];
  }
}

export interface Refusal {
  /** `mtg_…` */
  readonly id: string;
  readonly error: unknown;
}

/**
 * Forgets the meetings that began before a time; one whose start cannot be read stays. Resolves to how many it has
 * forgotten, and to those that the store refuses to remove.
 */
export async function forgetOlder(
  store: MeetingStore,
  than: Date,
  signal?: AbortSignal,
): Promise<{ forgotten: number; refused: readonly Refusal[] }> {
  let forgotten = 0;
  const refused: Refusal[] = [];
  for (let after: string | undefined; ; ) {
    const ids = await store.ids(after, IDS_AT_ONCE);
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      throwIfAborted(signal);
      const some = ids.slice(first, first + AT_ONCE);
      const memories = await store.readMemory(some);
      const startOf = (id: string) => parseTimestamp(parseMemory(memories.get(id)).memory?.seen?.start ?? "");
      const old = some.filter((id) => startOf(id) < than.getTime());
      const refusals = await forgetAllowed(store, old);
      forgotten += old.length - refusals.length;
      refused.push(...refusals);
    }
    after = ids.at(-1);
    if (ids.length < IDS_AT_ONCE) return { forgotten, refused };
  }
}

/** Removes the others if the store refuses one, for example because a row of another table refers to it. */
async function forgetAllowed(store: MeetingStore, ids: readonly string[]): Promise<Refusal[]> {
  try {
    await forget(store, ids);
    return [];
  } catch (error) {
    if (isLockLost(error)) throw error;
    // A store that is away rejects this as well.
    await store.readMemory(ids);
    if (ids.length === 1) return [{ id: ids[0] as string, error }];
    const half = ids.length >> 1;
    return [...(await forgetAllowed(store, ids.slice(0, half))), ...(await forgetAllowed(store, ids.slice(half)))];
  }
}
