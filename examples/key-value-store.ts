/**
 * A store for `syncMeetings` in a key-value store with sorted keys and
 * transactions, such as the storage of a Durable Object, Deno KV or FoundationDB.
 */
import type { Document, MeetingStore, RemovedItem, StoreItem } from "notetaker-sdk";

/** Several calls in `transaction` are one: all or nothing, and nobody between. */
export interface KeyValues {
  get<T>(key: string): Promise<T | undefined>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keys with this prefix, in the order of their bytes, after this one. */
  list(prefix: string, after: string, max: number): Promise<string[]>;
  transaction<T>(work: (tx: KeyValues) => Promise<T>): Promise<T>;
}

interface Stored extends Partial<Omit<StoreItem, "dueAt">> {
  memory: string;
  due?: string | undefined;
}

/** Texts in the order of their times, from the earliest `Date` on. */
const sortable = (time: Date) => String(8.64e15 + time.getTime()).padStart(17, "0");

export const keyValueStore = (kv: KeyValues): MeetingStore => ({
  readState: () => kv.get("state"),

  async readMemory(ids) {
    const found = new Map<string, string>();
    for (const id of ids) {
      const stored = await kv.get<Stored>(`meeting/${id}`);
      if (stored) found.set(id, stored.memory);
    }
    return found;
  },

  async due(until, max) {
    const end = `due/${sortable(until)}/\u{10ffff}`;
    const keys = await kv.list("due/", "due/", max);
    return keys.filter((key) => key < end).map((key) => key.slice(sortable(until).length + 5));
  },

  async ids(after = "", max) {
    const keys = await kv.list("meeting/", `meeting/${after}`, max);
    return keys.map((key) => key.slice("meeting/".length));
  },

  write: ({ state, items, removed }) =>
    kv.transaction(async (tx) => {
      const refused: string[] = [];
      for (const { id, before, ...next } of [...items, ...removed] as (StoreItem | RemovedItem)[]) {
        const key = `meeting/${id}`;
        const stored = await tx.get<Stored>(key);
        if (stored?.memory !== before) {
          refused.push(id); // somebody else has written it meanwhile
          continue;
        }
        if (stored?.due) await tx.delete(stored.due);
        if (!("missing" in next)) {
          // It is to be removed. A memory of it may stay.
          if (next.memory === undefined) await tx.delete(key);
          else await tx.put(key, next);
          continue;
        }
        const due = next.dueAt && `due/${sortable(next.dueAt)}/${id}`;
        if (due) await tx.put(due, true);
        // What `next` does not name stays as it is stored.
        const meeting = next.meeting ?? stored?.meeting;
        const transcript = next.transcript ?? stored?.transcript;
        const documents = documentsOf(stored?.documents ?? [], next);
        const row = { ...next, meeting, transcript, documents, due };
        // The list may not have the meeting yet.
        await tx.put(key, meeting ? row : { memory: next.memory, due });
      }
      if (state !== undefined) await tx.put("state", state);
      return refused;
    }),
});

/** New documents replace those with the same id and format. */
function documentsOf(
  stored: readonly Document[],
  { documents, documentsGone }: Pick<StoreItem, "documents" | "documentsGone">,
): Document[] {
  const isNew = ({ id, format }: Document) => documents.some((one) => one.id === id && one.format === format);
  const kept = stored.filter((one) => !isNew(one) && !documentsGone.includes(one.id));
  return [...kept, ...documents];
}
