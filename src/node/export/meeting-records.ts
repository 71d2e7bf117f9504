/**
 * The record that an export keeps of each meeting, in one file per meeting. It keeps the saved files, and the names of
 * the meeting's folder and documents, so that these stay the same when a title changes.
 */
import * as z from "zod/mini";
import type { Meeting } from "../../schemas/meeting.js";
import { jsonBytes, readJson } from "../sink/json-file.js";
import { STATE_FOLDER } from "../sink/sink.js";
import type { SinkWriter } from "../sink/sink-writer.js";
import { type SavedFile, savedFileSchema } from "./checkpoint-state.js";
import { documentName, idName, isNameOf, meetingName } from "./file-names.js";

/** The record of one meeting. */
export interface MeetingRecord {
  /** `mtg_…` */
  id: string;
  folder: string;
  /** For each document id (`doc_…`), the name of its files, without the extension. */
  documents: ReadonlyMap<string, string>;
  title: string | null;
  /** The start time of the meeting, as the service sent it. */
  date: string;
  /** The saved files, by their path in the folder. */
  files: ReadonlyMap<string, SavedFile>;
}

const recordSchema = z.object({
  folder: z.string(),
  documents: z.record(z.string(), z.unknown()),
  title: z.optional(z.nullable(z.string())),
  date: z.optional(z.string()),
  files: z.optional(z.array(z.unknown())),
});

const recordPath = (id: string) => `${STATE_FOLDER}/names/${idName(id)}.json`;

/** The record of a meeting, or `undefined` if it does not exist or is invalid. */
export async function readRecord(sink: SinkWriter, id: string): Promise<MeetingRecord | undefined> {
  const { data } = z.safeParse(recordSchema, await readJson(sink, recordPath(id)));
  if (data === undefined || !isNameOf(id, data.folder)) return undefined;
  const documents = new Map<string, string>();
  for (const [documentId, name] of Object.entries(data.documents)) {
    if (isNameOf(documentId, name)) documents.set(documentId, name);
  }
  const files = (data.files ?? []).flatMap((file) => z.safeParse(savedFileSchema, file).data ?? []);
  return {
    id,
    folder: data.folder,
    documents,
    title: data.title ?? null,
    date: data.date ?? "",
    files: new Map(files.map((file) => [file.file, file])),
  };
}

/** The earlier record, updated with the current meeting; or a new record. */
export function currentRecord(meeting: Meeting, earlier: MeetingRecord | undefined): MeetingRecord {
  const names = (meeting.documents ?? []).map((document) => [document.id, documentName(document)] as const);
  return {
    id: meeting.id,
    folder: earlier?.folder ?? meetingName(meeting),
    documents: new Map([...names, ...(earlier?.documents ?? [])]),
    title: meeting.title ?? null,
    date: meeting.start_time,
    files: earlier?.files ?? new Map(),
  };
}

/** The record with `saved` added to its files. */
export const withFiles = (record: MeetingRecord, saved: readonly SavedFile[]): MeetingRecord => ({
  ...record,
  files: new Map([...record.files, ...saved.map((file) => [file.file, file] as const)]),
});

export async function writeRecord(sink: SinkWriter, record: MeetingRecord): Promise<void> {
  const { id, folder, documents, title, date, files } = record;
  const sortedFiles = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const value = { folder, documents: Object.fromEntries(documents), title, date, files: sortedFiles };
  await sink.writeChanged(recordPath(id), jsonBytes(value));
}

/** Deletes the files of a meeting, and then its record. */
export async function deleteMeeting(sink: SinkWriter, record: MeetingRecord): Promise<void> {
  for (const file of [...record.files.keys(), "meeting.json"]) await sink.delete(`${record.folder}/${file}`);
  await sink.delete(recordPath(record.id));
}
