/** Items as `syncMeetings` passes them to a store: meetings with a transcript and a document. */
import type { Document, Meeting, MeetingStore, StoreItem } from "notetaker-sdk";
import * as items from "../../sync/store/store-items.js";

export { locked } from "../../sync/store/store-items.js";

export const meetingRow = (id: string, fields: object = {}): Meeting => ({
  ...items.meetingOf(id, "Weekly sync"),
  start_time: "2025-01-01T09:00:00Z",
  ...fields,
});

export const transcriptOf = (id: string, text = "Good morning.") => items.transcriptOf(id, text);

export const documentOf = (id: string, content = "# Summary\n", format = "markdown"): Document => ({
  ...items.documentOf(id, format),
  title: "Summary",
  content,
});

export const itemOf = (id: string, fields: Partial<StoreItem> = {}): StoreItem =>
  items.itemOf(id, {
    meeting: meetingRow(id),
    transcript: transcriptOf(id),
    documents: [documentOf(`doc_of_${id}`)],
    ...fields,
  });

/** An item that names no piece. */
export const changeOf = (id: string, fields: Partial<StoreItem> = {}): StoreItem => {
  const { meeting, ...rest } = items.itemOf(id);
  return { ...rest, ...fields };
};

/** Writes items without a lock, over whatever is stored of them. */
export async function writeItems(store: MeetingStore, ...written: StoreItem[]): Promise<readonly string[]> {
  const memory = await store.readMemory(written.map(({ id }) => id));
  return items.write(
    store,
    written.map((item) => ({ ...item, before: memory.get(item.id) })),
  );
}

export const recordingOf = (...chunks: string[]) => ({
  stream: new Blob(chunks).stream() as ReadableStream<Uint8Array<ArrayBuffer>>,
  size: undefined,
  contentType: "video/mp4",
});
