/** A store in memory that notes what no batch may have, and that may fail or be killed. */
import { type MeetingStore, type MemoryStore, memoryStore, type StoreBatch, type StoreItem } from "notetaker-sdk";
import { timeless } from "../support/simulated-time.js";

export interface WatchedStore extends MemoryStore {
  /** What was written unchanged. */
  readonly unchanged: string[];
  /** The ids that a batch has named twice. */
  readonly repeated: string[];
  /** Called before each write. What it throws refuses the write. */
  beforeWrite: () => void;
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

const withoutMessage = ({ missing }: Pick<StoreItem, "missing">) => missing.map((one) => ({ ...one, message: "" }));
const isSameButMessages = (left: Pick<StoreItem, "missing">, right: Pick<StoreItem, "missing">) =>
  !same(left.missing, right.missing) && same(withoutMessage(left), withoutMessage(right));

/** The store that remembers: what it has written is written to the store in memory as well, which has to agree. */
function beside(real: MeetingStore, mirror: MemoryStore, differ: (what: string) => void): MemoryStore {
  const store = timeless(real);
  const { write: written } = store;
  return Object.assign(store, {
    meetings: mirror.meetings,
    async write(batch: StoreBatch, lock: Parameters<MeetingStore["write"]>[1]) {
      const conflicts = await written(batch, lock);
      const mirrored = await mirror.write(batch, undefined);
      if (!same([...conflicts].sort(), [...mirrored].sort())) differ(`${conflicts} or ${mirrored}`);
      return conflicts;
    },
  });
}

/** `real`: another store, which is used in place of the one in memory. */
export function watchedStore(real?: MeetingStore): WatchedStore {
  const inMemory = memoryStore();
  const store = real === undefined ? inMemory : beside(real, inMemory, (what) => unchanged.push(what));
  const unchanged: string[] = [];
  const repeated: string[] = [];
  const { write } = store;
  const watched: WatchedStore = Object.assign(Object.create(null), store, {
    unchanged,
    repeated,
    beforeWrite() {},
    async write(batch: StoreBatch, lock: Parameters<MemoryStore["write"]>[1]) {
      watched.beforeWrite();
      const ids = [...batch.items, ...batch.removed].map(({ id }) => id);
      repeated.push(...ids.filter((id, index) => ids.indexOf(id) < index));
      const before = new Map(batch.items.map(({ id }) => [id, store.meetings.get(id)]));
      const conflicts = await write(batch, lock);
      for (const item of batch.items) {
        const stored = before.get(item.id);
        if (conflicts.includes(item.id) || stored === undefined) continue;
        const isSame = !item.meeting && !item.transcript && item.documents.length + item.documentsGone.length === 0;
        if (isSame && item.isGone === stored.isGone && isSameButMessages(item, stored)) {
          unchanged.push(`${item.id}: the text of an error`);
        }
        if (item.meeting && same(item.meeting, stored.meeting)) unchanged.push(`${item.id}: row`);
        if (item.transcript && same(item.transcript, stored.transcript)) unchanged.push(`${item.id}: transcript`);
        for (const document of item.documents) {
          const isStored = stored.documents.some((one) => same(one, document));
          if (isStored) unchanged.push(`${item.id}: ${document.id}`);
        }
      }
      return conflicts;
    },
  });
  return watched;
}
