/** What the store keeps of each meeting, in `.notetaker/meetings/<id>.json`: its memory, and the names of its files. */
import * as z from "zod/mini";
import type { Meeting } from "../../schemas/meeting.js";
import { idName, isNameOf, meetingName } from "./file-names.js";
import type { FolderFiles } from "./folder-files.js";

const RECORDS = ".notetaker/meetings";
/** How many records are read at the same time, so that few files are open. */
const READS = 16;

/**
 * The memory of a meeting whose files are being written, or are not all there. The engine cannot read it, so the meeting
 * counts as one of which nothing is stored, and is asked for at once.
 */
export const INCOMPLETE = "incomplete";

/** The end of the name of a file that could not be read, and is stored as it was received. */
export const RECEIVED = ".received.json";
export const UNREADABLE = `transcript${RECEIVED}`;
/** Written after the recording. */
export const RECORDING_NOTE = "recording.json";

/** A file of a meeting. Each is named in the record before it is written, so that a removal finds it. */
const fileSchema = z.object({
  /** Relative to the meeting's folder: `transcript.md` or `documents/Summary-doc_1.md`. */
  file: z.string(),
  /** `mtg_…` or, for a document, `doc_…` */
  id: z.string(),
  /** Of the document, or else of the meeting when the file was written. */
  title: z.nullable(z.string()),
  /** Whether it was written. */
  isSaved: z.boolean(),
});
export type MeetingFile = Readonly<z.output<typeof fileSchema>>;

const recordSchema = z.object({
  /** `mtg_…` */
  id: z.string(),
  /** The name of the meeting's folder, which stays the same when the title changes. Empty before the list has it. */
  folder: z.string(),
  title: z.nullable(z.string()),
  /** The start time of the meeting, as the service sent it. */
  date: z.string(),
  files: z.array(fileSchema),
  missing: z.array(z.unknown()),
  isGone: z.boolean(),
  /** In milliseconds since 1970. */
  dueAt: z.nullable(z.number()),
  memory: z.string(),
});
export interface FolderRecord extends Readonly<Omit<z.output<typeof recordSchema>, "files" | "missing">> {
  readonly files: readonly MeetingFile[];
  readonly missing: readonly unknown[];
}

export const recordPath = (id: string) => `${RECORDS}/${idName(id)}.json`;

/** The records of these meetings, by default of all. The folder is not trusted: an invalid record counts as none. */
export async function readRecords(files: FolderFiles, ids?: readonly string[]): Promise<Map<string, FolderRecord>> {
  const records = new Map<string, FolderRecord>();
  const paths = (ids?.map(recordPath) ?? (await files.namesIn(RECORDS)).map((name) => `${RECORDS}/${name}`)).values();
  const reader = async () => {
    for (const path of paths) {
      const { data } = z.safeParse(recordSchema, await files.readJson(path));
      if (data === undefined || recordPath(data.id) !== path) continue;
      if (data.folder === "" || isNameOf(data.id, data.folder)) records.set(data.id, data);
    }
  };
  await Promise.all(Array.from({ length: READS }, reader));
  return records;
}

/** The record of a meeting of which nothing is known but its id. */
export const newRecord = (id: string, memory: string): FolderRecord => ({
  id,
  folder: "",
  title: null,
  date: "",
  files: [],
  missing: [],
  isGone: false,
  dueAt: null,
  memory,
});

/** The record with what it has from the row of the list. */
export const withRow = (record: FolderRecord, row: Meeting): FolderRecord => ({
  ...record,
  folder: record.folder || meetingName(row),
  title: row.title ?? null,
  date: row.start_time,
});

/** The record while its files are being written. If that is interrupted, the meeting is due at once. */
export const incomplete = (record: FolderRecord): FolderRecord => ({
  ...record,
  memory: INCOMPLETE,
  dueAt: 0,
});

/** The files with `added` in place of those with the same names. */
export function withFiles(files: readonly MeetingFile[], added: readonly MeetingFile[]): readonly MeetingFile[] {
  const byName = new Map([...files, ...added].map((one) => [one.file, one]));
  return [...byName.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/**
 * Whether each file that the record names as saved is there, and the transcript in each of the formats. Nothing can be
 * fetched again of a meeting that is gone. A large recording may have been moved: its note tells that it was saved.
 */
export async function isComplete(
  files: FolderFiles,
  { folder, files: named, isGone }: FolderRecord,
  extensions: readonly string[],
): Promise<boolean> {
  const saved = named.flatMap(({ file, isSaved }) => (isSaved ? file : []));
  if (isGone || saved.length === 0) return true;
  const present = new Set(await files.namesIn(folder));
  for (const name of await files.namesIn(`${folder}/documents`)) present.add(`documents/${name}`);
  const hasTranscript = saved.some((file) => file.startsWith("transcript.")) && !saved.includes(UNREADABLE);
  const transcripts = hasTranscript ? extensions.map((extension) => `transcript.${extension}`) : [];
  const expected = saved.filter((file) => !file.startsWith("recording.") || file === RECORDING_NOTE);
  return [...expected, ...transcripts].every((file) => present.has(file));
}
