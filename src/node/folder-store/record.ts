/** What the store keeps of each meeting, in `.notetaker/meetings/<id>.json`: its memory, and the names of its files. */
import * as z from "zod/mini";
import type { Meeting } from "../../schemas/meeting.js";
import { custom } from "../../schemas/primitives.js";
import { documentName, idName, isNameOf, meetingName } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";

export const RECORDS = ".notetaker/meetings";

/**
 * The memory of a meeting whose files are being written, or are not all there. The engine cannot read it, so the meeting
 * counts as one of which nothing is stored, and is asked for at once.
 */
export const INCOMPLETE = "incomplete";

/** A file of a meeting. Each is named in the record before it is written, so that a removal finds it. */
export interface MeetingFile {
  /** Relative to the meeting's folder. */
  readonly file: string;
  /** `mtg_…` or, for a document, `doc_…` */
  readonly id: string;
  /** Of a document. */
  readonly title: string | null;
  /** Whether it was written. */
  readonly isSaved: boolean;
}

export interface FolderRecord {
  /** `mtg_…` */
  readonly id: string;
  /** The name of the meeting's folder, which stays the same when the title changes. Empty before the list has it. */
  readonly folder: string;
  /** For each document id (`doc_…`), the name of its files, without the extension. */
  readonly documents: ReadonlyMap<string, string>;
  readonly title: string | null;
  /** The start time of the meeting, as the service sent it. */
  readonly date: string;
  /** The files, by their path in the folder. */
  readonly files: ReadonlyMap<string, MeetingFile>;
  /** The extensions in which the transcript is saved; empty if there is none. */
  readonly transcript: readonly string[];
  readonly missing: readonly unknown[];
  readonly isGone: boolean;
  readonly dueAt: Date | undefined;
  readonly memory: string;
}

const fileSchema = z.object({
  file: custom<string>(isFileInMeeting, "the path of a file in a meeting's folder"),
  id: z.string(),
  title: z.nullable(z.string()),
  isSaved: z.boolean(),
} satisfies Record<keyof MeetingFile, z.ZodMiniType>);

/** For example `transcript.md` or `documents/Summary-doc_1.md`. */
export function isFileInMeeting(value: unknown): boolean {
  return typeof value === "string" && /^(documents\/)?[\p{L}\p{M}\p{N}_-]+(\.[a-z0-9]{1,16}){1,3}$/u.test(value);
}

/** The names must be valid. Any other invalid field is read as empty, and then the record is incomplete. */
const recordSchema = z.object({
  id: z.string(),
  folder: z.string(),
  documents: z.catch(z.record(z.string(), z.unknown()), {}),
  title: z.catch(z.nullable(z.string()), null),
  date: z.catch(z.string(), ""),
  files: z.catch(z.array(fileSchema), []),
  transcript: z.catch(z.array(z.string()), []),
  missing: z.catch(z.array(z.unknown()), []),
  gone: z.catch(z.boolean(), false),
  due_at: z.catch(z.nullable(z.string()), null),
  memory: z.catch(z.string(), INCOMPLETE),
});

export const recordFile = (id: string) => `${idName(id)}.json`;

/** The record in a file of {@link RECORDS}; `undefined` if it does not exist or is not one of that name. */
export async function readRecordFile(files: FolderFiles, name: string): Promise<FolderRecord | undefined> {
  const { data } = z.safeParse(recordSchema, await files.readJson(`${RECORDS}/${name}`));
  if (data === undefined || recordFile(data.id) !== name) return undefined;
  if (data.folder !== "" && !isNameOf(data.id, data.folder)) return undefined;
  const { gone, due_at, ...fields } = data;
  const dueAt = due_at === null ? Number.NaN : Date.parse(due_at);
  return {
    ...fields,
    documents: new Map(Object.entries(data.documents).filter((entry): entry is [string, string] => isNameOf(...entry))),
    files: new Map(data.files.map((file) => [file.file, file])),
    isGone: gone,
    dueAt: Number.isNaN(dueAt) ? undefined : new Date(dueAt),
  };
}

export const readRecord = (files: FolderFiles, id: string) => readRecordFile(files, recordFile(id));

export function recordBytes({ documents, files, isGone, dueAt, ...fields }: FolderRecord): Uint8Array {
  const sorted = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return jsonBytes({
    ...fields,
    documents: Object.fromEntries(documents),
    files: sorted,
    gone: isGone,
    due_at: dueAt?.toISOString() ?? null,
  });
}

/** The record of a meeting of which nothing is known but its id. */
export const newRecord = (id: string, memory: string): FolderRecord => ({
  id,
  folder: "",
  documents: new Map(),
  title: null,
  date: "",
  files: new Map(),
  transcript: [],
  missing: [],
  isGone: false,
  dueAt: undefined,
  memory,
});

/** The record with the title, and with the names that follow from the row of the list. Names that it has stay. */
export function withRow(record: FolderRecord, row: Meeting): FolderRecord {
  const names = (row.documents ?? []).map((document) => [document.id, documentName(document)] as const);
  return {
    ...record,
    folder: record.folder || meetingName(row),
    documents: new Map([...names, ...record.documents]),
    title: row.title ?? null,
    date: row.start_time,
  };
}

/** The record while its files are being written. If that is interrupted, the meeting is due at once. */
export const incomplete = (record: FolderRecord): FolderRecord => ({
  ...record,
  memory: INCOMPLETE,
  dueAt: new Date(0),
});

/**
 * The memory of the record, if each file that it names as saved is there, and the transcript in each of the formats.
 * Nothing can be fetched again of a meeting that is gone. A large recording may have been moved: its note tells that it
 * was saved.
 */
export async function memoryOf(
  files: FolderFiles,
  { folder, files: saved, transcript, isGone, memory }: FolderRecord,
  extensions: readonly string[],
): Promise<string> {
  if (isGone || memory === INCOMPLETE) return memory;
  if (transcript.length > 0 && !extensions.every((extension) => transcript.includes(extension))) return INCOMPLETE;
  const expected = [...saved.values()].flatMap(({ file, isSaved }) => (isSaved && !isRecording(file) ? file : []));
  if (expected.length === 0) return memory;
  const present = new Set(await files.namesIn(folder));
  if (expected.some((file) => file.startsWith("documents/"))) {
    for (const name of await files.namesIn(`${folder}/documents`)) present.add(`documents/${name}`);
  }
  return expected.every((file) => present.has(file)) ? memory : INCOMPLETE;
}

const isRecording = (file: string) => file.startsWith("recording.") && file !== "recording.json";
