/** `folderStore`: keeps meetings as files in a folder. */
import * as z from "zod/mini";
import { pause } from "../../async/timers.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import type { Meeting } from "../../schemas/meeting.js";
import { custom, nonEmptyArray, optionsSchema } from "../../schemas/primitives.js";
import { type MeetingStore, type StoreBatch, type StoreLock, StoreLockLostError } from "../../sync/store/store.js";
import { Catalogue, type RecordChange } from "./catalogue.js";
import { type Check, FolderFiles, jsonBytes } from "./folder-files.js";
import { type FileLock, lockFile } from "./lock-file.js";
import { meetingChange, type TranscriptFormats } from "./meeting-files.js";
import { type FolderRecord, INCOMPLETE, memoryOf, readRecord } from "./record.js";
import { saveRecording } from "./recording.js";
import {
  isTranscriptFormat,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
  transcriptExtension,
} from "./transcript-files.js";
import { removeMeeting, writeMeeting, writeRecord } from "./write-meeting.js";

/** Options of `folderStore`. */
export interface FolderStoreOptions {
  /** The formats of transcripts. One request serves all. Default: `["json", "markdown"]`. */
  transcript?: readonly (TranscriptFormat | TranscriptRenderer)[] | undefined;
}

const optionsOfStore = optionsSchema<FolderStoreOptions>()({
  transcript: z.optional(
    nonEmptyArray(
      custom<TranscriptFormat | TranscriptRenderer>(
        isTranscriptFormat,
        `${TRANSCRIPT_FORMATS.join(", ")}, or an extension (a-z, 0-9) with a function to render`,
      ),
      "formats",
    ),
  ),
});

/**
 * A folder as the store of `syncMeetings`: a subfolder for each meeting, and `index.json`, which lists all files. Use it
 * for one account only. The folder is created by the first write. Each file is always complete; no link in the folder
 * is followed. Guide: docs/database.md#a-folder.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option
 * @example
 * await syncMeetings(notetaker, { into: folderStore("meetings", { transcript: ["markdown", "vtt"] }) });
 */
export function folderStore(folder: string, options: FolderStoreOptions = {}): Required<MeetingStore> {
  if (typeof folder !== "string" || folder === "") {
    throw new InvalidArgumentError({
      operation: "folderStore",
      issues: [{ path: "folder", message: "expected the path of a folder" }],
    });
  }
  checkArgument("folderStore", optionsOfStore, options);
  const { transcript = ["json", "markdown"] } = options;
  const extensions = transcript.map(transcriptExtension);
  const issues = extensions.flatMap((extension, index) => {
    if (extensions.indexOf(extension) === index) return [];
    return [{ path: `transcript[${index}]`, message: `two formats write transcript.${extension}` }];
  });
  if (issues.length > 0) throw new InvalidArgumentError({ operation: "folderStore", issues });
  return new FolderStore(folder, transcript);
}

const STATE = ".notetaker/state.json";
const stateSchema = z.object({
  /** The formats of transcripts with which the state was reached. */
  transcript: z.array(z.string()),
  state: z.optional(z.string()),
  next_at: z.optional(z.string()),
});

/** After the index was written, a run waits this many times as long as that took. */
const INDEX_PAUSE = 20;

/** A change, and what writes it. */
interface RecordWrite extends RecordChange {
  write(): Promise<void>;
}

class FolderStore implements Required<MeetingStore> {
  readonly #files: FolderFiles;
  readonly #formats: TranscriptFormats;
  readonly #extensions: readonly string[];
  readonly #catalogue: Catalogue;
  readonly #runs = new WeakMap<StoreLock, FileLock>();
  /** How many runs hold the folder through this store: one, or none. */
  #held = 0;
  #indexTimer: NodeJS.Timeout | undefined;
  #indexMs = 0;
  #background: Promise<void> = Promise.resolve();

  constructor(folder: string, formats: TranscriptFormats) {
    this.#files = new FolderFiles(folder);
    this.#formats = formats;
    this.#extensions = formats.map(transcriptExtension);
    this.#catalogue = new Catalogue(this.#files, (work) => this.#exclusively(work));
  }

  async lock(): Promise<StoreLock | { readonly heldUntil: Date }> {
    const path = await this.#files.pathToWrite(".notetaker/lock");
    const run = await this.#exclusively(async (check) => {
      const held = await lockFile(path);
      if ("heldUntil" in held) return held;
      try {
        // Without an index, everything is read anew.
        if (await this.#catalogue.hasIndex()) await this.#catalogue.repairIndex(check);
        return held;
      } catch (error) {
        await held.release().catch(() => {});
        throw error;
      }
    });
    if ("heldUntil" in run) return run;
    this.#held += 1;
    const lock: StoreLock = {
      release: async () => {
        clearTimeout(this.#indexTimer);
        this.#indexTimer = undefined;
        await this.#background;
        if (this.#runs.delete(lock)) this.#held -= 1;
        await this.#exclusively(async (check) => {
          try {
            await this.#catalogue.updateIndex(check);
          } finally {
            await run.release();
          }
        });
      },
    };
    this.#runs.set(lock, run);
    return lock;
  }

  /** With other formats of transcripts, or without its index, the folder lacks files: then there is no state. */
  async readState(): Promise<string | undefined> {
    if (!(await this.#catalogue.hasIndex())) return undefined;
    return (await this.#storedState())?.state;
  }

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const entries = await Promise.all(
      ids.map(async (id) => {
        const record = await readRecord(this.#files, id);
        return record === undefined ? [] : [[id, await this.#memoryOf(record)] as const];
      }),
    );
    return new Map(entries.flat());
  }

  due = (until: Date, max: number) => this.#catalogue.due(until, max);
  ids = (after: string | undefined, max: number) => this.#catalogue.ids(after, max);

  write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    return this.#exclusively(async (check) => {
      if (lock !== undefined && !(await this.#runs.get(lock)?.isHeld())) throw this.#lost();
      const refused: string[] = [];
      const current = async ({ id, before }: { id: string; before: string | undefined }) => {
        const record = await readRecord(this.#files, id);
        const memory = record && (await this.#memoryOf(record));
        // Nothing is stored of a meeting that is incomplete.
        const isSame = memory === before || (memory === INCOMPLETE && before === undefined);
        if (!isSame) refused.push(id);
        return { record, isSame };
      };
      const writes: RecordWrite[] = [];
      for (const item of batch.items) {
        const { record, isSame } = await current(item);
        if (!isSame) continue;
        const change = await meetingChange(this.#files, item, record, this.#formats);
        const write = () => writeMeeting(this.#files, change, record, check);
        writes.push({ id: item.id, before: record, after: change.record, write });
      }
      for (const removed of batch.removed) {
        const { record, isSame } = await current(removed);
        if (!isSame || record === undefined) continue;
        const write = () => removeMeeting(this.#files, record, check);
        writes.push({ id: removed.id, before: record, after: undefined, write });
      }
      await this.#writeRecords(writes, lock !== undefined, check);
      await this.#writeState(batch, check);
      return refused;
    });
  }

  async saveRecording(meeting: Meeting, download: RecordingDownload): Promise<void> {
    await saveRecording(this.#files, meeting, download, (id, change) =>
      this.#exclusively(async (check) => {
        const before = await readRecord(this.#files, id);
        const after = await change(before);
        if (after === undefined) return;
        const write = () => writeRecord(this.#files, after, check);
        await this.#writeRecords([{ id, before, after, write }], this.#held > 0, check);
      }),
    );
  }

  #memoryOf = (record: FolderRecord) => memoryOf(this.#files, record, this.#extensions);

  #lost = () => new StoreLockLostError(`${this.#files.root} is not held by this run any more`);

  /** Runs `work` while no other process writes to the folder. `check` throws if one may have begun to. */
  async #exclusively<T>(work: (check: Check) => Promise<T>): Promise<T> {
    const path = await this.#files.pathToWrite(".notetaker/write.lock");
    let lock = await lockFile(path);
    while ("heldUntil" in lock) {
      // Writes are short. The lock of one that hangs ends after three minutes.
      await pause(5 + 20 * Math.random());
      lock = await lockFile(path);
    }
    const { isHeld, release } = lock;
    try {
      return await work(async () => {
        if (!(await isHeld())) throw this.#lost();
      });
    } finally {
      await release();
    }
  }

  async #writeRecords(writes: readonly RecordWrite[], isRun: boolean, check: Check): Promise<void> {
    if (writes.length > 0) await this.#catalogue.willChange(writes, check);
    try {
      for (const change of writes) {
        await change.write();
        this.#catalogue.set(change);
      }
    } catch (error) {
      this.#catalogue.forget();
      throw error;
    }
    if (!isRun || !(await this.#catalogue.hasIndex())) await this.#catalogue.updateIndex(check);
    else this.#updateIndexLater();
  }

  /** The index of a large folder is a large file: a run does not write it for each meeting. */
  #updateIndexLater(): void {
    if (this.#indexTimer !== undefined || !this.#catalogue.isIndexOutdated) return;
    const update = async () => {
      const start = performance.now();
      await this.#exclusively((check) => this.#catalogue.updateIndex(check));
      this.#indexMs = performance.now() - start;
    };
    const delayMs = Math.max(1_000, INDEX_PAUSE * this.#indexMs);
    this.#indexTimer = setTimeout(() => {
      this.#indexTimer = undefined;
      // What fails now is tried again later, at the latest when the run ends.
      this.#background = this.#background.then(update).catch(() => {});
    }, delayMs);
    this.#indexTimer.unref();
  }

  async #storedState() {
    const { data } = z.safeParse(stateSchema, await this.#files.readJson(STATE));
    return data?.transcript.join() === this.#extensions.join() ? data : undefined;
  }

  async #writeState({ state, nextAt }: StoreBatch, check: Check): Promise<void> {
    if (state === undefined && nextAt === undefined) return;
    const stored = await this.#storedState();
    const next_at = nextAt?.toISOString() ?? stored?.next_at;
    const value = { transcript: this.#extensions, next_at, state: state ?? stored?.state };
    await this.#files.write(STATE, [jsonBytes(value)], check);
  }
}
