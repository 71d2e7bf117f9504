/** Reads what a store remembers of all meetings, a few hundred at a time. */
import { type KnownMemory, type Memory, parseMemory } from "../meeting/memory.js";
import type { MeetingStore } from "./store.js";

const REMEMBERED_AT_ONCE = 500;

export interface RememberedMeeting {
  readonly id: string;
  readonly known: KnownMemory;
  readonly memory: Memory;
}

/** In the order of the ids, after `after`. A memory that cannot be read is left out, and so are the ids in `except`. */
export async function* rememberedMeetings(
  store: MeetingStore,
  after?: string,
  except: ReadonlySet<string> = new Set(),
): AsyncGenerator<RememberedMeeting, void, undefined> {
  for (let last = after; ; ) {
    const ids = await store.ids(last, REMEMBERED_AT_ONCE);
    const wanted = ids.filter((id) => !except.has(id));
    const memories = wanted.length === 0 ? undefined : await store.readMemory(wanted);
    for (const id of wanted) {
      const known = parseMemory(memories?.get(id));
      if (known.memory !== undefined) yield { id, known, memory: known.memory };
    }
    last = ids.at(-1);
    if (ids.length < REMEMBERED_AT_ONCE) return;
  }
}
