/** The records of a folder and `index.json`, which is made from them: in memory while this process holds the folder. */
import type { RemovedItem } from "../../sync/store.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import type { FileChanges } from "./meeting-files.js";
import {
  type FolderRecord,
  INCOMPLETE,
  incomplete,
  isComplete,
  newRecord,
  readRecords,
  recordPath,
  withFiles,
} from "./record.js";

const INDEX = "index.json";

export class Records {
  readonly #files: FolderFiles;
  #byId = new Map<string, FolderRecord>();

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  get all(): ReadonlyMap<string, FolderRecord> {
    return this.#byId;
  }

  /** Called when this process begins to hold the folder. */
  async begin(): Promise<void> {
    this.#byId = await readRecords(this.#files);
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
   * interrupted, a memory that stays is there already, and the files are removed when it is repeated.
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
