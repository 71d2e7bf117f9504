/**
 * What the store keeps of each meeting, in `.notetaker/meetings/<id>.json`: its memory, and the names of its files. And
 * `index.json`, which is made from it.
 */
import * as z from "zod/mini";
import type { Meeting } from "../../schemas/meeting.js";
import { FORGOTTEN } from "../../sync/memory.js";
import type { RemovedItem } from "../../sync/store.js";
import { idName, isNameOf, meetingName } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";

const INDEX = "index.json";
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

const recordPath = (id: string) => `${RECORDS}/${idName(id)}.json`;

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
async function isComplete(
  files: FolderFiles,
  { folder, files: named, isGone, memory }: FolderRecord,
  extensions: readonly string[],
): Promise<boolean> {
  const saved = named.flatMap(({ file, isSaved }) => (isSaved ? file : []));
  if (isGone || memory === FORGOTTEN || saved.length === 0) return true;
  const present = new Set(await files.namesIn(folder));
  for (const name of await files.namesIn(`${folder}/documents`)) present.add(`documents/${name}`);
  const hasTranscript = saved.some((file) => file.startsWith("transcript.")) && !saved.includes(UNREADABLE);
  const transcripts = hasTranscript ? extensions.map((extension) => `transcript.${extension}`) : [];
  const expected = saved.filter((file) => !file.startsWith("recording.") || file === RECORDING_NOTE);
  return [...expected, ...transcripts].every((file) => present.has(file));
}

/** The content of a file that an item names. */
export interface Content extends Pick<MeetingFile, "file" | "id" | "title"> {
  readonly bytes: Uint8Array;
}

/** What an item changes of a meeting's files. */
export interface FileChanges {
  /** The record as it is after the item was written. */
  readonly record: FolderRecord;
  readonly contents: readonly Content[];
  /** The files to delete. */
  readonly gone: readonly string[];
}

/** The records of a folder: in memory while this process holds it. */
export class Records {
  readonly #files: FolderFiles;
  #byId = new Map<string, FolderRecord>();

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  get all(): ReadonlyMap<string, FolderRecord> {
    return this.#byId;
  }

  /** Called when this process begins to hold the folder. Forgets the rest of a meeting whose removal was interrupted. */
  async begin(): Promise<void> {
    this.#byId = await readRecords(this.#files);
    for (const { id, memory, folder } of this.#byId.values()) {
      if (memory !== FORGOTTEN || folder === "") continue;
      // A file that cannot be deleted is no reason not to sync the others: each run tries again.
      await this.remove({ id, before: memory, memory }).catch(() => {});
    }
  }

  hasIndex = (): Promise<boolean> => this.#files.has(INDEX);

  /** Looks at the files of all meetings. A meeting that lacks one is due, as if nothing were stored of it. */
  async findMissingFiles(extensions: readonly string[]): Promise<void> {
    for (const record of this.#byId.values()) {
      if (!(await isComplete(this.#files, record, extensions))) await this.save(incomplete(record));
    }
  }

  async save(record: FolderRecord): Promise<void> {
    await this.#files.write(recordPath(record.id), [jsonBytes(record)]);
    this.#byId.set(record.id, record);
  }

  /** Files with the same bytes are not written. The record is incomplete until all others are there. */
  async saveWithFiles({ record, contents, gone }: FileChanges): Promise<void> {
    const { files: stored = [], isGone = false } = this.#byId.get(record.id) ?? {};
    const changed: [path: string, bytes: Uint8Array][] = [];
    for (const { file, bytes } of contents) {
      const path = `${record.folder}/${file}`;
      const isStored = stored.some((one) => one.file === file);
      const isSame = isStored && (await this.#files.read(path))?.equals(bytes);
      if (!isSame) changed.push([path, bytes]);
    }
    if (changed.length > 0 || gone.length > 0) {
      const announced = withFiles(
        record.files.map((one) => ({ ...one, isSaved: false })),
        stored,
      );
      await this.save(incomplete({ ...record, isGone, files: announced }));
      for (const [path, bytes] of changed) await this.#files.write(path, [bytes]);
      for (const file of gone) await this.#files.delete(`${record.folder}/${file}`);
    }
    await this.save(record);
  }

  /**
   * Files that the record does not name are the user's own: they stay, and so does their folder. If the removal is
   * interrupted, a memory that stays is there already, and the next `begin` removes the files.
   */
  async remove({ id, memory }: RemovedItem): Promise<void> {
    const record = this.#byId.get(id) ?? newRecord(id, INCOMPLETE);
    await this.save(memory === undefined ? incomplete(record) : { ...record, memory, dueAt: null });
    for (const { file } of record.files) await this.#files.delete(`${record.folder}/${file}`);
    if (memory !== undefined) return this.save(newRecord(id, memory));
    await this.#files.delete(recordPath(id));
    this.#byId.delete(id);
  }

  /** A run that was killed may have left an old index. */
  async writeIndex(): Promise<void> {
    const bytes = indexBytes(this.#byId.values());
    if (!(await this.#files.read(INDEX))?.equals(bytes)) await this.#files.write(INDEX, [bytes]);
  }
}

/** The index lists every saved file, for people and programs that read the folder. The newest meeting comes first. */
function indexBytes(records: Iterable<FolderRecord>): Uint8Array {
  const entries = [...records].flatMap(({ id: meeting_id, title, date, folder, files }) =>
    files.flatMap((one) => {
      const ofMeeting = { id: one.id, title: one.id === meeting_id ? title : one.title, date };
      return one.isSaved ? { ...ofMeeting, file: `${folder}/${one.file}`, meeting_id } : [];
    }),
  );
  return jsonBytes(entries.sort((a, b) => compare(b.date, a.date) || compare(a.file, b.file)));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
