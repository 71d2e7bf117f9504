/** Saves the recording of a meeting in its folder. */
import * as z from "zod/mini";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import { extensionOfMediaType } from "../../schemas/media-type-of-file.js";
import type { Meeting } from "../../schemas/meeting.js";
import { readRow } from "../../sync/list/received.js";
import { idName } from "./file-names.js";
import { type Check, type FolderFiles, jsonBytes } from "./folder-files.js";
import { lockFile } from "./lock-file.js";
import { type FolderRecord, INCOMPLETE, incomplete, type MeetingFile, newRecord, withRow } from "./record.js";

/** Changes the record of a meeting while the folder is locked for a write, which lasts a moment. */
export type ChangeRecord = (
  id: string,
  change: (stored: FolderRecord | undefined) => Promise<FolderRecord | undefined>,
) => Promise<void>;

/** Written after the recording. */
const NOTE = "recording.json";
const noteSchema = z.object({ file: z.string().check(z.regex(/^recording\.[a-z0-9]{1,16}$/)) });

/** A recording does not change and may be large: it is not written again once its note tells that it was saved. */
export async function saveRecording(
  files: FolderFiles,
  meeting: Meeting,
  download: RecordingDownload,
  changeRecord: ChangeRecord,
): Promise<void> {
  const reader = download.stream.getReader();
  try {
    const path = await files.pathToWrite(`.notetaker/recording-${idName(meeting.id)}.lock`);
    // A download may take long, so the folder is not locked for a write meanwhile.
    const lock = await lockFile(path);
    if ("heldUntil" in lock) throw new Error(`another run is saving the recording of ${meeting.id}`);
    const check = async () => {
      if (!(await lock.isHeld())) throw new Error(`another run has taken over the recording of ${meeting.id}`);
    };
    try {
      await saveChunks(files, meeting, download, chunksOf(reader), changeRecord, check);
    } finally {
      await lock.release();
    }
  } finally {
    // Not awaited, because a stream that hangs would hold up the run.
    reader.cancel().catch(() => {});
  }
}

async function saveChunks(
  files: FolderFiles,
  meeting: Meeting,
  download: RecordingDownload,
  chunks: AsyncIterable<Uint8Array>,
  changeRecord: ChangeRecord,
  check: Check,
): Promise<void> {
  const { id } = meeting;
  const { contentType = null } = download;
  const media = `recording.${extensionOfMediaType(contentType ?? "") ?? "bin"}`;
  let folder = "";
  let isNoted = false;
  await changeRecord(id, async (stored) => {
    const record = withRow(stored ?? incomplete(newRecord(id, INCOMPLETE)), readRow(meeting)?.meeting ?? meeting);
    folder = record.folder;
    const { data: note } = z.safeParse(noteSchema, await files.readJson(`${folder}/${NOTE}`));
    isNoted = note !== undefined;
    return withFiles(record, [note?.file ?? media, NOTE], isNoted);
  });
  if (isNoted) return;
  let size = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      yield chunk;
    }
  }
  await files.write(`${folder}/${media}`, counted(), check);
  const note = { file: media, size, contentType, warning: download.warning };
  await files.write(`${folder}/${NOTE}`, [jsonBytes(note)], check);
  let isRemoved = false;
  await changeRecord(id, async (stored) => {
    isRemoved = stored?.folder !== folder;
    return stored && withFiles(stored, [media, NOTE], true);
  });
  if (isRemoved) for (const file of [media, NOTE]) await files.delete(`${folder}/${file}`, check);
}

function withFiles(record: FolderRecord, names: readonly string[], isSaved: boolean): FolderRecord {
  const added = names.map((file): MeetingFile => ({ file, id: record.id, title: null, isSaved }));
  return { ...record, files: new Map([...record.files, ...added.map((file) => [file.file, file] as const)]) };
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
