/** The ids of the folder's meetings, and when each is due, in memory. */
import { MINUTE_MS } from "../../async/timers.js";
import type { FolderFiles } from "./folder-files.js";
import { RECORDS, readRecordFile } from "./record.js";

/** How many records are read at the same time. */
const READS = 16;

/** Another process may write records at the same time: then they are read anew, at most once a minute. */
export class Catalogue {
  readonly #files: FolderFiles;
  /** When each meeting is due, in milliseconds since 1970. */
  #dueAt: Map<string, number | undefined> | undefined;
  #sorted: readonly string[] | undefined;
  /** When a record was last changed, as far as it is known here. */
  #changedAt: number | undefined;
  #readAt = 0;

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  /** Called before the records are changed: notices changes of others. Resolves to a function to call afterwards. */
  async beforeChange(): Promise<() => Promise<void>> {
    const isKnown = this.#dueAt !== undefined && (await this.#files.modifiedAt(RECORDS)) === this.#changedAt;
    return async () => {
      if (isKnown) this.#changedAt = await this.#files.modifiedAt(RECORDS);
    };
  }

  set(id: string, dueAt: Date | undefined): void {
    if (this.#dueAt?.has(id) === false) this.#sorted = undefined;
    this.#dueAt?.set(id, dueAt?.getTime());
  }

  delete(id: string): void {
    this.#dueAt?.delete(id);
    this.#sorted = undefined;
  }

  /** The ids that are due by this time, the earliest first. */
  async due(until: Date, max: number): Promise<string[]> {
    const due: [id: string, at: number][] = [];
    for (const [id, at] of await this.#read()) if (at !== undefined && at <= until.getTime()) due.push([id, at]);
    return due
      .sort(([, a], [, b]) => a - b)
      .slice(0, max)
      .map(([id]) => id);
  }

  /** The ids in the order of their bytes, after this one. */
  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    const known = await this.#read();
    this.#sorted ??= inByteOrder([...known.keys()]);
    let [low, high] = [0, after === undefined ? 0 : this.#sorted.length];
    const bytes = Buffer.from(after ?? "");
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(Buffer.from(this.#sorted[middle] ?? ""), bytes) <= 0) low = middle + 1;
      else high = middle;
    }
    return this.#sorted.slice(low, low + max);
  }

  async #read(): Promise<Map<string, number | undefined>> {
    const isRecent = Math.abs(Date.now() - this.#readAt) < MINUTE_MS;
    const changedAt = await this.#files.modifiedAt(RECORDS);
    if (this.#dueAt !== undefined && (isRecent || changedAt === this.#changedAt)) return this.#dueAt;
    const dueAt = new Map<string, number | undefined>();
    const names = (await this.#files.namesIn(RECORDS)).values();
    const reader = async () => {
      for (const name of names) {
        const record = await readRecordFile(this.#files, name);
        if (record !== undefined) dueAt.set(record.id, record.dueAt?.getTime());
      }
    };
    await Promise.all(Array.from({ length: READS }, reader));
    this.#sorted = undefined;
    this.#changedAt = changedAt;
    this.#readAt = Date.now();
    this.#dueAt = dueAt;
    return dueAt;
  }
}

function inByteOrder(ids: readonly string[]): string[] {
  const withBytes = ids.map((id) => [id, Buffer.from(id)] as const);
  return withBytes.sort(([, a], [, b]) => Buffer.compare(a, b)).map(([id]) => id);
}
