/** Saves the recording of a meeting in its folder. */
import * as z from "zod/mini";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import { extensionOfMediaType } from "../../schemas/media-type-of-file.js";
import type { Meeting } from "../../schemas/meeting.js";
import { FORGOTTEN } from "../../sync/memory.js";
import { readRow } from "../../sync/rows.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import type { Records } from "./records.js";
import { INCOMPLETE, incomplete, newRecord, RECORDING_NOTE, withFiles, withRow } from "./records.js";

const noteSchema = z.object({ file: z.string().check(z.regex(/^recording\.[a-z0-9]{1,16}$/)) });

/**
 * A recording does not change and may be large: it is not written again once its note tells that it was saved. The write
 * of the meeting that follows lists it. `inTurn` runs between two writes of the store.
 */
export async function saveRecording(
  files: FolderFiles,
  records: Records,
  meeting: Meeting,
  download: RecordingDownload,
  inTurn: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { id } = meeting;
  const { contentType, stream } = download;
  const media = `recording.${extensionOfMediaType(contentType ?? "") ?? "bin"}`;
  let folder = "";
  let isWanted = false;
  await inTurn(async () => {
    const stored = records.all.get(id) ?? incomplete(newRecord(id, INCOMPLETE));
    // The meeting may have been forgotten while its recording was requested.
    if (stored.memory === FORGOTTEN) return;
    const record = withRow(stored, readRow(meeting)?.meeting ?? meeting);
    folder = record.folder;
    const { data: note } = z.safeParse(noteSchema, await files.readJson(`${folder}/${RECORDING_NOTE}`));
    const isSaved = note !== undefined;
    isWanted = !isSaved;
    const named = [note?.file ?? media, RECORDING_NOTE].map((file) => ({ file, id, title: null, isSaved }));
    await records.save({ ...record, files: withFiles(record.files, named) });
  });
  if (!isWanted) return stream.cancel();
  let size = 0;
  async function* counted() {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await files.write(`${folder}/${media}`, counted());
  await files.write(`${folder}/${RECORDING_NOTE}`, [
    // It is known at the end of the stream.
    jsonBytes({ file: media, size, contentType: contentType ?? null, warning: download.warning }),
  ]);
  // The meeting may have been removed meanwhile.
  if (records.all.get(id)?.folder === folder) return;
  for (const file of [media, RECORDING_NOTE]) await files.delete(`${folder}/${file}`);
}
