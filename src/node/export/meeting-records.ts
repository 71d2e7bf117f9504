/**
 * The record that an export keeps of each meeting, in one file per meeting: what it has saved, what is missing, and the
 * names of the meeting's folder and documents, so that these stay the same when a title changes.
 */
import * as z from "zod/mini";
import type { Meeting } from "../../schemas/meeting.js";
import { custom } from "../../schemas/primitives.js";
import { type Missing, type MissingPiece, missingPiece, missingShape } from "../reading/pieces.js";
import { jsonBytes, type SinkWriter, STATE_FOLDER } from "../sink/sink.js";
import { documentName, idName, isNameOf, meetingName } from "./file-names.js";

/** A file of a meeting that was saved. */
export interface SavedFile {
  /** Relative to the meeting's folder. */
  file: string;
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  title: string | null;
  /**
   * A digest of the entry of the meeting or document in the meeting list when the file was saved. If the digest of the
   * entry differs later, the file is out of date. Empty for a recording.
   */
  version: string;
}

/** What an export could not save. `again`: the reason may pass, so it is tried once more at the end. */
export type RecordedMissing = Missing & { again?: boolean | undefined };

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
  /** What the latest export could not save. */
  missing: readonly RecordedMissing[];
}

const recordSchema = z.object({
  folder: z.string(),
  documents: z.record(z.string(), z.unknown()),
  title: z.optional(z.nullable(z.string())),
  date: z.optional(z.string()),
  files: z.optional(z.array(z.unknown())),
  missing: z.optional(z.array(z.unknown())),
});

const savedFileSchema = z.object({
  file: custom<string>(isFileInMeeting, "the path of a file in a meeting's folder"),
  id: z.string(),
  title: z.nullable(z.string()),
  version: z.string(),
});

/** For example `transcript.md` or `documents/Summary-doc_1.md`. */
function isFileInMeeting(value: unknown): boolean {
  return typeof value === "string" && /^(documents\/)?[\p{L}\p{M}\p{N}_-]+(\.[a-z0-9]{1,16}){1,2}$/u.test(value);
}

const recordedMissingSchema = z.object({ ...missingShape, again: z.optional(z.boolean()) });

const recordPath = (id: string) => `${STATE_FOLDER}/names/${idName(id)}.json`;

/** The record of a meeting, or `undefined` if it does not exist or is invalid. */
export async function readRecord(sink: SinkWriter, id: string): Promise<MeetingRecord | undefined> {
  const { data } = z.safeParse(recordSchema, await sink.readJson(recordPath(id)));
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
    missing: (data.missing ?? []).flatMap((missing) => z.safeParse(recordedMissingSchema, missing).data ?? []),
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
    missing: earlier?.missing ?? [],
  };
}

/** The record with `saved` in place of its files of the same names. */
export const withFiles = (record: MeetingRecord, saved: readonly SavedFile[]): MeetingRecord => ({
  ...record,
  files: new Map([...record.files, ...saved.map((file) => [file.file, file] as const)]),
});

/** The record in which those of its files that are also in `files` are out of date. */
export const withoutVersions = (record: MeetingRecord, files: readonly SavedFile[]): MeetingRecord =>
  withFiles(
    record,
    files.flatMap(({ file }) => record.files.get(file) ?? []).map((file) => ({ ...file, version: "" })),
  );

/** The record with `missing` as what is missing of the piece `what`; `undefined`: nothing. */
export const withMissing = (
  record: MeetingRecord,
  what: string,
  missing: RecordedMissing | undefined,
): MeetingRecord => ({
  ...record,
  missing: [...record.missing.filter((other) => other.what !== what), ...(missing === undefined ? [] : [missing])],
});

/** What is missing of the meeting, as the summary reports it. */
export const missingOf = ({ id, title, missing }: MeetingRecord): MissingPiece[] =>
  missing.map((one) => missingPiece({ id: id as Meeting["id"], title }, one));

export async function writeRecord(sink: SinkWriter, record: MeetingRecord): Promise<void> {
  const { folder, documents, title, date, files, missing } = record;
  const sortedFiles = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const value = { folder, documents: Object.fromEntries(documents), title, date, files: sortedFiles, missing };
  await sink.writeChanged(recordPath(record.id), jsonBytes(value));
}

/** Deletes the files of a meeting, and then its record. */
export async function deleteMeeting(sink: SinkWriter, record: MeetingRecord): Promise<void> {
  for (const file of [...record.files.keys(), "meeting.json"]) await sink.delete(`${record.folder}/${file}`);
  await sink.delete(recordPath(record.id));
}
