/** The folder's meetings, in memory: their ids, when each is due, and the entries of the index. */
import { randomUUID } from "node:crypto";
import { SortedIds } from "../../sync/sorted-ids.js";
import type { Check, FolderFiles } from "./folder-files.js";
import { entriesOf, INDEX, type IndexEntry, indexBytes } from "./index-entries.js";
import { type FolderRecord, RECORDS, readRecordFile } from "./record.js";

/** A text that is another after each change of a record. */
const VERSION = ".notetaker/version";
/** How many records are read at the same time. */
const READS = 16;

type Exclusively = <T>(work: (check: Check) => Promise<T>) => Promise<T>;

interface CataloguedMeeting {
  /** In milliseconds since 1970. */
  readonly dueAt: number | undefined;
  readonly entries: readonly IndexEntry[];
}

/** All records are read at first, and again when another process has changed one. */
export class Catalogue {
  /** Whether the index may lack something. */
  isIndexOutdated = true;
  readonly #files: FolderFiles;
  readonly #exclusively: Exclusively;
  #meetings = new Map<string, CataloguedMeeting>();
  #ids = new SortedIds();
  #isRead = false;
  /** The version that this shows. */
  #version: string | undefined;

  constructor(files: FolderFiles, exclusively: Exclusively) {
    this.#files = files;
    this.#exclusively = exclusively;
  }

  /** Called before records are changed, while the folder is locked for a write. */
  async willChange(check: Check): Promise<void> {
    const isCurrent = await this.#isCurrent();
    const version = randomUUID();
    await this.#files.write(VERSION, [Buffer.from(version)], check);
    if (isCurrent) this.#version = version;
  }

  set(record: FolderRecord): void {
    const entries = entriesOf(record);
    const before = this.#meetings.get(record.id)?.entries ?? [];
    this.isIndexOutdated ||= JSON.stringify(before) !== JSON.stringify(entries);
    this.#meetings.set(record.id, { dueAt: record.dueAt?.getTime(), entries });
    this.#ids.add(record.id);
  }

  delete(id: string): void {
    this.isIndexOutdated = true;
    this.#meetings.delete(id);
    this.#ids.delete(id);
  }

  /** Some records were changed, and it is not known which. */
  forget(): void {
    this.#isRead = false;
  }

  /** The ids that are due by this time, the earliest first. */
  async due(until: Date, max: number): Promise<string[]> {
    await this.#refresh();
    const due: [id: string, at: number][] = [];
    for (const [id, { dueAt }] of this.#meetings)
      if (dueAt !== undefined && dueAt <= until.getTime()) due.push([id, dueAt]);
    return due
      .sort(([, a], [, b]) => a - b)
      .slice(0, max)
      .map(([id]) => id);
  }

  /** The ids in the order of their bytes, after this one. */
  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    await this.#refresh();
    return this.#ids.after(after, max);
  }

  hasIndex = (): Promise<boolean> => this.#files.has(INDEX);

  /** Called while the folder is locked for a write. */
  async updateIndex(check: Check): Promise<void> {
    if (!(await this.#isCurrent())) await this.#readAll();
    if (!this.isIndexOutdated && (await this.hasIndex())) return;
    const bytes = indexBytes([...this.#meetings.values()].flatMap(({ entries }) => entries));
    if (!(await this.#files.read(INDEX))?.equals(bytes)) await this.#files.write(INDEX, [bytes], check);
    this.isIndexOutdated = false;
  }

  async #refresh(): Promise<void> {
    // Without a version, nothing was ever written.
    if ((await this.#isCurrent()) || (await this.#storedVersion()) === undefined) return;
    await this.#exclusively(() => this.#readAll());
  }

  async #readAll(): Promise<void> {
    const version = await this.#storedVersion();
    const names = (await this.#files.namesIn(RECORDS)).values();
    this.#meetings = new Map();
    this.#ids = new SortedIds();
    this.isIndexOutdated = true;
    const reader = async () => {
      for (const name of names) {
        const record = await readRecordFile(this.#files, name);
        if (record !== undefined) this.set(record);
      }
    };
    await Promise.all(Array.from({ length: READS }, reader));
    this.#version = version;
    this.#isRead = true;
  }

  #isCurrent = async () => this.#isRead && this.#version === (await this.#storedVersion());

  #storedVersion = async () => (await this.#files.read(VERSION))?.toString();
}
