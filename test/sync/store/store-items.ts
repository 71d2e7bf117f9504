/** Items for the tests of stores. */
import type { Document, Meeting, MeetingStore, StoreBatch, StoreItem, StoreLock, Transcript } from "notetaker-sdk";

export const meetingOf = (id: string, title = `Title of ${id}`): Meeting => ({
  id: id as Meeting["id"],
  title,
  status: "completed",
  source: "zoom",
  start_time: "2026-01-05T09:00:00+01:00",
  duration: 1_800,
});

export const transcriptOf = (id: string, text: string): Transcript => ({
  meeting_id: id as Meeting["id"],
  language: "en",
  speakers: [{ id: "spk_1", name: "Ada" }],
  segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 1.5, text }],
});

export const documentOf = (id: string, format = "markdown"): Document => ({
  id: id as Document["id"],
  title: `Title of ${id}`,
  format,
  content: `Content of ${id} in ${format}`,
  created_at: "2026-01-05T10:00:00Z",
});

/** An item that no memory came before, with a row unless `meeting` is `undefined`. */
export const itemOf = (id: string, fields: { [K in keyof StoreItem]?: StoreItem[K] | undefined } = {}): StoreItem =>
  ({
    id,
    meeting: meetingOf(id),
    documents: [],
    documentKinds: new Map(),
    documentsGone: [],
    missing: [],
    isGone: false,
    memory: `memory of ${id}`,
    before: undefined,
    dueAt: undefined,
    ...fields,
  }) as StoreItem;

/** Writes without a lock. */
export const write = (store: MeetingStore, items: readonly StoreItem[], rest: Partial<StoreBatch> = {}) =>
  store.write({ items, removed: [], ...rest }, undefined);

/** Locks the store, which no other run may hold. */
export async function locked(store: MeetingStore): Promise<StoreLock> {
  const lock = await store.lock?.();
  if (lock === undefined || !("release" in lock)) throw new Error("the store is held");
  return lock;
}
