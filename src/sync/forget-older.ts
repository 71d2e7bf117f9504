/** Retention: forgets the meetings that began before a time. */
import { parseTimestamp } from "../schemas/primitives.js";
import { forgetMeetings } from "./forget-meetings.js";
import { parseMemory } from "./memory.js";
import type { MeetingStore } from "./store.js";

const AT_ONCE = 500;

/** Resolves to how many were forgotten. A meeting whose start cannot be read stays. */
export async function forgetOlder(store: MeetingStore, than: Date): Promise<number> {
  let count = 0;
  for (let after: string | undefined; ; ) {
    const ids = await store.ids(after, AT_ONCE);
    const memories = await store.readMemory(ids);
    const old = ids.filter((id) => {
      const start = parseMemory(memories.get(id)).memory?.seen?.start;
      return start !== undefined && parseTimestamp(start) < than.getTime();
    });
    await forgetMeetings(store, old);
    count += old.length;
    after = ids.at(-1);
    if (ids.length < AT_ONCE) return count;
  }
}
