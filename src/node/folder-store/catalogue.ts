/** The ids of the folder's meetings, and when each is due, in memory. */
import { randomUUID } from "node:crypto";
import { SortedIds } from "../../sync/sorted-ids.js";
import type { FolderFiles } from "./folder-files.js";
import { RECORDS, readRecordFile } from "./record.js";

/** A text that is another after each change of a record. */
const VERSION = ".notetaker/version";
/** How many records are read at the same time. */
const READS = 16;

type Check = () => Promise<void>;
type Exclusively = <T>(work: (check: Check) => Promise<T>) => Promise<T>;

/** All records are read at first, and again when another process has changed one. */
export class Catalogue {
  readonly #files: FolderFiles;
  readonly #exclusively: Exclusively;
  /** When each meeting is due, in milliseconds since 1970. */
  #dueAt = new Map<string, number | undefined>();
  #ids = new SortedIds();
  /** The version that this shows. */
  #version: string | undefined;

  constructor(files: FolderFiles, exclusively: Exclusively) {
    this.#files = files;
    this.#exclusively = exclusively;
  }

  /** Called before records are changed, while the folder is locked for a write. */
  async willChange(check: Check): Promise<void> {
    const isKnown = this.#version !== undefined && this.#version === (await this.#storedVersion());
    const version = randomUUID();
    await this.#files.write(VERSION, [Buffer.from(version)], check);
    if (isKnown) this.#version = version;
  }

  set(id: string, dueAt: Date | undefined): void {
    this.#dueAt.set(id, dueAt?.getTime());
    this.#ids.add(id);
  }

  delete(id: string): void {
    this.#dueAt.delete(id);
    this.#ids.delete(id);
  }

  /** The ids that are due by this time, the earliest first. */
  async due(until: Date, max: number): Promise<string[]> {
    await this.#read();
    const due: [id: string, at: number][] = [];
    for (const [id, at] of this.#dueAt) if (at !== undefined && at <= until.getTime()) due.push([id, at]);
    return due
      .sort(([, a], [, b]) => a - b)
      .slice(0, max)
      .map(([id]) => id);
  }

  /** The ids in the order of their bytes, after this one. */
  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    await this.#read();
    return this.#ids.after(after, max);
  }

  async #read(): Promise<void> {
    const version = await this.#storedVersion();
    if (version !== undefined && version === this.#version) return;
    // Without a version, nothing was ever written.
    if (version !== undefined) await this.#exclusively(() => this.#readAll());
  }

  async #readAll(): Promise<void> {
    const version = await this.#storedVersion();
    const names = (await this.#files.namesIn(RECORDS)).values();
    this.#dueAt = new Map();
    this.#ids = new SortedIds();
    const reader = async () => {
      for (const name of names) {
        const record = await readRecordFile(this.#files, name);
        if (record !== undefined) this.set(record.id, record.dueAt);
      }
    };
    await Promise.all(Array.from({ length: READS }, reader));
    this.#version = version;
  }

  #storedVersion = async () => (await this.#files.read(VERSION))?.toString();
}
