/** `index.json` lists every saved file and its meeting, for people and programs that read the folder. */
import * as z from "zod/mini";
import { custom } from "../../schemas/primitives.js";
import { isNameOf } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import { type FolderRecord, RECORDS, readRecord, readRecordFile } from "./record.js";

const INDEX = "index.json";
/** Tells that records have changed since the index was written. A killed run leaves it. */
const STALE = ".notetaker/index-stale";

/** An entry of `index.json`: a file that was saved. */
export interface IndexEntry {
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  /** The title of the document for a document, else of the meeting; `null` if it has none. */
  title: string | null;
  /** The start time of the meeting, as the service sent it. */
  date: string;
  /** The path of the file, relative to the index. */
  file: string;
  /** The meeting that the file belongs to: `mtg_…` */
  meeting_id: string;
}

const entrySchema = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  date: z.string(),
  file: custom<string>((value) => typeof value === "string" && value.split("/").length > 1, "a path"),
  meeting_id: z.string(),
} satisfies Record<keyof IndexEntry, z.ZodMiniType>);

type Check = () => Promise<void>;
/** A record before and after a change; `undefined`: there is none. */
export type RecordChange = readonly [before: FolderRecord | undefined, after: FolderRecord | undefined];

/** The index, and which meetings of it are out of date. Used only while the folder is locked for a write. */
export class IndexFile {
  readonly #files: FolderFiles;
  readonly #changed = new Set<string>();
  #isMarked = false;
  /** Whether a killed run has left changes that are not in the index. */
  #isUnknown = false;

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  /** Whether there are changes that are not in the index. */
  get isOutdated(): boolean {
    return this.#changed.size > 0 || this.#isUnknown;
  }

  /** Called before records are written. `isRun`: a run holds the folder. */
  async willChange(changes: readonly RecordChange[], isRun: boolean, check: Check): Promise<void> {
    const ids = changes.flatMap(([before, after]) => {
      const isSame = JSON.stringify(entriesOf(before)) === JSON.stringify(entriesOf(after));
      return isSame ? [] : ((before ?? after)?.id ?? []);
    });
    for (const id of ids) this.#changed.add(id);
    if (this.#isMarked || ids.length === 0) return;
    const isLeft = await this.#files.has(STALE);
    if (!isLeft) await this.#files.write(STALE, [], check);
    // Without a lock, the mark is that of a run, which removes it.
    this.#isMarked = isRun || !isLeft;
    this.#isUnknown ||= isRun && isLeft;
  }

  /** Called when a run begins: whoever left the mark has ended. */
  async repair(check: Check): Promise<void> {
    if (this.#isMarked || !(await this.#files.has(STALE))) return;
    this.#isUnknown = true;
    this.#isMarked = true;
    await this.update(check);
  }

  exists = (): Promise<boolean> => this.#files.has(INDEX);

  /** Writes the entries of the meetings that have changed. Reads all records if the index is lost. */
  async update(check: Check): Promise<void> {
    if (!this.isOutdated && (await this.exists())) return;
    const index = this.#isUnknown ? undefined : await this.#read();
    const entries = index ?? new Map<string, IndexEntry[]>();
    const records = index === undefined ? this.#allRecords() : this.#changedRecords();
    for (const id of this.#changed) entries.delete(id);
    for await (const record of records) if (record !== undefined) entries.set(record.id, entriesOf(record));
    const sorted = [...entries.values()].flat().sort((a, b) => compare(b.date, a.date) || compare(a.file, b.file));
    const bytes = jsonBytes(sorted);
    if (!(await this.#files.read(INDEX))?.equals(bytes)) await this.#files.write(INDEX, [bytes], check);
    if (this.#isMarked) await this.#files.delete(STALE, check);
    this.#changed.clear();
    this.#isMarked = false;
    this.#isUnknown = false;
  }

  async *#allRecords() {
    for (const name of await this.#files.namesIn(RECORDS)) yield readRecordFile(this.#files, name);
  }

  async *#changedRecords() {
    for (const id of this.#changed) yield readRecord(this.#files, id);
  }

  /** The entries by meeting id. Entries that this library did not write are left out. */
  async #read(): Promise<Map<string, IndexEntry[]> | undefined> {
    const received = await this.#files.readJson(INDEX);
    if (!Array.isArray(received)) return undefined;
    const byMeeting = new Map<string, IndexEntry[]>();
    for (const one of received) {
      const { data: entry } = z.safeParse(entrySchema, one);
      if (entry === undefined || !isNameOf(entry.meeting_id, entry.file.split("/")[0])) continue;
      const entries = byMeeting.get(entry.meeting_id);
      if (entries === undefined) byMeeting.set(entry.meeting_id, [entry]);
      else entries.push(entry);
    }
    return byMeeting;
  }
}

function entriesOf(record: FolderRecord | undefined): IndexEntry[] {
  if (record === undefined) return [];
  const { id, title, date, folder, files } = record;
  return [...files.values()].flatMap((saved) => {
    if (!saved.isSaved) return [];
    const ofDocument = saved.file.startsWith("documents/");
    return {
      id: saved.id,
      title: ofDocument ? saved.title : title,
      date,
      file: `${folder}/${saved.file}`,
      meeting_id: id,
    };
  });
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
