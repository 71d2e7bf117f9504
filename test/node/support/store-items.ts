/** Items as `syncMeetings` passes them to a store. */
import type { Document } from "../../../src/schemas/document.js";
import type { Meeting } from "../../../src/schemas/meeting.js";
import type { Transcript } from "../../../src/schemas/transcript.js";
import type { MeetingStore, StoreItem, StoreLock } from "../../../src/sync/store.js";

export const meetingRow = (id: string, fields: object = {}): Meeting =>
  ({
    id,
    title: "Weekly sync",
    status: "completed",
    source: "zoom",
    start_time: "2025-01-01T09:00:00Z",
    duration: 60,
    ...fields,
  }) as unknown as Meeting;

export const transcriptOf = (id: string, text = "Good morning."): Transcript =>
  ({
    meeting_id: id,
    language: "en",
    speakers: [{ id: "spk_1", name: "Ada" }],
    segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 2, text }],
  }) as unknown as Transcript;

export const documentOf = (id: string, content = "# Summary\n", format = "markdown"): Document =>
  ({ id, title: "Summary", format, content, created_at: "2025-01-02T00:00:00Z" }) as unknown as Document;

/** A new meeting with a transcript and a document. */
export const itemOf = (id: string, fields: Partial<StoreItem> = {}): StoreItem => ({
  id,
  meeting: meetingRow(id),
  transcript: transcriptOf(id),
  documents: [documentOf(`doc_of_${id}`)],
  documentsGone: [],
  missing: [],
  isGone: false,
  memory: JSON.stringify({ of: id }),
  before: undefined,
  dueAt: undefined,
  ...fields,
});

/** An item that names no piece. */
export const changeOf = (id: string, fields: Partial<StoreItem> = {}): StoreItem => {
  const { meeting, transcript, ...rest } = itemOf(id);
  return { ...rest, documents: [], ...fields };
};

/** Writes items without a lock, over whatever is stored of them. */
export async function writeItems(store: MeetingStore, ...items: StoreItem[]): Promise<readonly string[]> {
  const memory = await store.readMemory(items.map(({ id }) => id));
  return store.write(
    { items: items.map((item) => ({ ...item, before: memory.get(item.id) })), removed: [] },
    undefined,
  );
}

/** Locks the store, which no other run may hold. */
export async function locked(store: Required<MeetingStore>): Promise<StoreLock> {
  const lock = await store.lock();
  if ("heldUntil" in lock) throw new Error(`held until ${lock.heldUntil.toISOString()}`);
  return lock;
}

/** A recording of these bytes. */
export const recordingOf = (...chunks: string[]) => ({
  stream: new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk) as Uint8Array<ArrayBuffer>);
      controller.close();
    },
  }),
  size: undefined,
  contentType: "video/mp4",
});
