/** The folder's meetings, in memory: their ids, when each is due, and the entries of the index. */
import { randomUUID } from "node:crypto";
import { SortedIds } from "../../sync/store/sorted-ids.js";
import type { Check, FolderFiles } from "./folder-files.js";
import { entriesOf, INDEX, type IndexEntry, indexBytes, readIndex } from "./index-entries.js";
import { type FolderRecord, RECORDS, readRecord, readRecordFile } from "./record.js";

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

/** A record before and after a change; `undefined`: there is none. */
export interface RecordChange {
  readonly id: string;
  readonly before: FolderRecord | undefined;
  readonly after: FolderRecord | undefined;
}

/** To list meetings, all records are read, and again after another process has changed one. */
export class Catalogue {
  readonly #files: FolderFiles;
  readonly #exclusively: Exclusively;
  #meetings = new Map<string, CataloguedMeeting>();
  #ids = new SortedIds();
  #isRead = false;
  /** The version that this shows. */
  #version: string | undefined;
  /** The ids whose entries have changed since the index was written. */
  readonly #changed = new Set<string>();
  /** Whether the index was not written since all records were read: it may lack what a killed process has changed. */
  #isIndexUnsure = false;

  constructor(files: FolderFiles, exclusively: Exclusively) {
    this.#files = files;
    this.#exclusively = exclusively;
  }

  /** Whether the index may lack something. */
  get isIndexOutdated(): boolean {
    return this.#changed.size > 0 || this.#isIndexUnsure;
  }

  /** Called before records are changed, while the folder is locked for a write. */
  async willChange(changes: readonly RecordChange[], check: Check): Promise<void> {
    const isCurrent = await this.#isCurrent();
    for (const { id, before, after } of changes) {
      if (JSON.stringify(entriesOf(before)) !== JSON.stringify(entriesOf(after))) this.#changed.add(id);
    }
    const version = randomUUID();
    await this.#files.write(VERSION, [Buffer.from(version)], check);
    if (isCurrent) this.#version = version;
  }

  /** A record was changed. */
  set({ id, after }: Omit<RecordChange, "before">): void {
    if (after === undefined) {
      this.#meetings.delete(id);
      this.#ids.delete(id);
    } else {
      this.#meetings.set(id, { dueAt: after.dueAt?.getTime(), entries: entriesOf(after) });
      this.#ids.add(id);
    }
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

  /** Called when a run begins, while the folder is locked for a write: a killed process may have left the index behind. */
  async repairIndex(check: Check): Promise<void> {
    if (!(await this.#isCurrent())) await this.#readAll();
    await this.updateIndex(check);
  }

  /** Called while the folder is locked for a write. */
  async updateIndex(check: Check): Promise<void> {
    if (!this.isIndexOutdated && (await this.hasIndex())) return;
    const isCurrent = await this.#isCurrent();
    const index = isCurrent ? undefined : await readIndex(this.#files);
    if (index !== undefined) {
      // What another process has written is in the index: to read all records of a large folder takes seconds.
      for (const id of this.#changed) index.set(id, entriesOf(await readRecord(this.#files, id)));
      await this.#writeIndex([...index.values()], check);
    } else {
      if (!isCurrent) await this.#readAll();
      await this.#writeIndex(
        [...this.#meetings.values()].map(({ entries }) => entries),
        check,
      );
      this.#isIndexUnsure = false;
    }
  }

  async #writeIndex(entries: readonly (readonly IndexEntry[])[], check: Check): Promise<void> {
    const bytes = indexBytes(entries.flat());
    if (!(await this.#files.read(INDEX))?.equals(bytes)) await this.#files.write(INDEX, [bytes], check);
    this.#changed.clear();
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
    this.#isIndexUnsure = true;
    const reader = async () => {
      for (const name of names) {
        const record = await readRecordFile(this.#files, name);
        if (record !== undefined) this.set({ id: record.id, after: record });
      }
    };
    await Promise.all(Array.from({ length: READS }, reader));
    this.#version = version;
    this.#isRead = true;
  }

  #isCurrent = async () => this.#isRead && this.#version === (await this.#storedVersion());

  #storedVersion = async () => (await this.#files.read(VERSION))?.toString();
}
