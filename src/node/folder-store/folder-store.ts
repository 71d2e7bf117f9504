/** `folderStore`: keeps meetings as files in a folder. */
import * as z from "zod/mini";
import { MINUTE_MS, pause, renewEvery } from "../../async/timers.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import type { Meeting } from "../../schemas/meeting.js";
import { custom, type Infer, nonEmptyArray, nonEmptyString } from "../../schemas/primitives.js";
import {
  type HeldStore,
  type MeetingStore,
  type StoreBatch,
  type StoreLock,
  StoreLockLostError,
} from "../../sync/store.js";
import { FolderFiles, jsonBytes } from "./folder-files.js";
import { type FileLock, lockFile } from "./lock-file.js";
import { fileChanges } from "./meeting-files.js";
import { saveRecording } from "./recording.js";
import { type FileChanges, type FolderRecord, INCOMPLETE, Records, readRecords } from "./records.js";
import {
  isTranscriptFormat,
  rendererOf,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptFormats,
  type TranscriptRenderer,
} from "./transcript-files.js";

const storeOptions = {
  /** The formats of transcripts. One request serves all. Default: `["json", "markdown"]`. */
  transcript: z.optional(
    nonEmptyArray(
      custom<TranscriptFormat | TranscriptRenderer>(
        isTranscriptFormat,
        `${TRANSCRIPT_FORMATS.join(", ")}, or an extension (a-z, 0-9) with a function to render`,
      ),
      "formats",
    ),
  ),
};

/** Options of `folderStore`. */
export interface FolderStoreOptions extends Infer<typeof storeOptions> {}

const folderArgument = z.object({ folder: nonEmptyString() });
const storeOptionsSchema = z.strictObject(storeOptions);

/**
 * A folder as the store of `syncMeetings`: a subfolder for each meeting, and `index.json`, which lists all files. Use it
 * for one account and one run at a time. The folder is created by the first run. Each file is always complete; no link in
 * the folder is followed. Guide: docs/database.md#a-folder.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option
 * @example
 * await syncMeetings(notetaker, { into: folderStore("meetings", { transcript: ["markdown", "vtt"] }) });
 */
export function folderStore(folder: string, options: FolderStoreOptions = {}): Required<MeetingStore> {
  checkArgument("folderStore", folderArgument, { folder });
  checkArgument("folderStore", storeOptionsSchema, options);
  const { transcript = ["json", "markdown"] } = options;
  const extensions = transcript.map((format) => rendererOf(format).extension);
  const issues = extensions.flatMap((extension, index) => {
    if (extensions.indexOf(extension) === index) return [];
    return [{ path: `transcript[${index}]`, message: `two formats write transcript.${extension}` }];
  });
  if (issues.length > 0) throw new InvalidArgumentError({ operation: "folderStore", issues });
  return new FolderStore(folder, transcript);
}

/** The index of a large folder is a large file. */
const INDEX_EVERY_MS = MINUTE_MS;

const STATE = ".notetaker/state.json";
const stateSchema = z.object({
  /** The formats of transcripts of all meetings. */
  transcript: z.array(z.string()),
  state: z.optional(z.string()),
});

/** How long a write without a lock waits for the run that holds the folder. */
const LONGEST_WAIT_MS = MINUTE_MS;
const PAUSE_MS = 250;
const NOT_HELD = "is not held by this run any more";

interface Holder extends StoreLock {
  readonly isHeld: FileLock["isHeld"];
  end(): Promise<void>;
}

class FolderStore implements Required<MeetingStore> {
  readonly #files: FolderFiles;
  readonly #records: Records;
  readonly #formats: TranscriptFormats;
  readonly #extensions: readonly string[];
  /** The run that holds the folder, or the write that holds it for itself. */
  #holder: Holder | undefined;
  /** The work that was begun last: each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, formats: TranscriptFormats) {
    this.#files = new FolderFiles(folder);
    this.#records = new Records(this.#files);
    this.#formats = formats;
    this.#extensions = formats.map((format) => rendererOf(format).extension);
  }

  lock = (): Promise<StoreLock | HeldStore> => this.#inTurn(() => this.#hold());

  readState = async (): Promise<string | undefined> => (await this.#storedState())?.state;

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.#read(ids);
    return new Map(ids.flatMap((id) => (records.has(id) ? [[id, records.get(id)?.memory ?? ""]] : [])));
  }

  async due(until: Date, max: number): Promise<string[]> {
    const due: [id: string, at: number][] = [];
    for (const [id, { dueAt }] of await this.#read()) {
      if (dueAt !== null && dueAt <= until.getTime()) due.push([id, dueAt]);
    }
    due.sort(([, a], [, b]) => a - b);
    return due.slice(0, max).map(([id]) => id);
  }

  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    const ids = [...(await this.#read()).keys()];
    return (after === undefined ? ids : ids.filter((id) => id > after)).sort().slice(0, max);
  }

  write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    return this.#whileHeld(lock, async () => {
      const records = this.#records.all;
      const isAsDecided = ({ id, before }: { id: string; before: string | undefined }) => {
        const memory = records.get(id)?.memory;
        // Nothing is stored of a meeting that is incomplete.
        return memory === before || (memory === INCOMPLETE && before === undefined);
      };
      const conflicts = [...batch.items, ...batch.removed].filter((one) => !isAsDecided(one)).map(({ id }) => id);
      const changes: FileChanges[] = [];
      for (const item of batch.items.filter(isAsDecided)) {
        changes.push(await fileChanges(this.#files, item, records.get(item.id), this.#formats));
      }
      for (const change of changes) await this.#records.saveWithFiles(change);
      for (const removed of batch.removed.filter(isAsDecided)) await this.#records.remove(removed);
      if (batch.state !== undefined) await this.#writeState(batch.state);
      return conflicts;
    });
  }

  async saveRecording(meeting: Meeting, download: RecordingDownload): Promise<void> {
    const holder = this.#holder;
    const save = (inTurn: (work: () => Promise<void>) => Promise<void>) =>
      saveRecording(this.#files, this.#records, meeting, download, inTurn);
    // A download may take long. The run that holds the folder writes meanwhile.
    if (holder !== undefined) await save((work) => this.#whileHeld(holder, work));
    else await this.#whileHeld(undefined, () => save((work) => work()));
  }

  /** The records of these meetings, by default of all. Nobody else changes those of a folder that is held. */
  async #read(ids?: readonly string[]): Promise<ReadonlyMap<string, FolderRecord>> {
    return this.#holder === undefined ? readRecords(this.#files, ids) : this.#records.all;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Without a lock, the folder is held for this work alone, unless a run of this store holds it. */
  #whileHeld<T>(lock: StoreLock | undefined, work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#files.lookAgain();
      if (lock === undefined && this.#holder === undefined) return this.#holdFor(work);
      // The folder may have been deleted, and its lock with it.
      if ((lock ?? this.#holder) !== this.#holder || !(await this.#holder?.isHeld(true))) throw this.#lost(NOT_HELD);
      return work();
    });
  }

  async #holdFor<T>(work: () => Promise<T>): Promise<T> {
    let holder = await this.#hold();
    for (let waitedMs = 0; "heldUntil" in holder; waitedMs += PAUSE_MS) {
      if (waitedMs >= LONGEST_WAIT_MS) throw this.#lost("is held by another run");
      await pause(PAUSE_MS);
      holder = await this.#hold();
    }
    try {
      return await work();
    } finally {
      await holder.end();
    }
  }

  async #hold(): Promise<Holder | HeldStore> {
    const lock = await lockFile(await this.#files.pathToWrite(".notetaker/lock"));
    if ("heldUntil" in lock) return lock;
    this.#files.check = async () => {
      if (!(await lock.isHeld())) throw this.#lost(NOT_HELD);
    };
    const writeIndex = () => this.#records.writeIndex();
    // An index that cannot be written now is written later, at the latest when the run ends.
    const stop = renewEvery(INDEX_EVERY_MS, () => void this.#whileHeld(holder, writeIndex).catch(() => {}));
    const end = async () => {
      if (this.#holder !== holder) return;
      this.#holder = undefined;
      stop();
      try {
        if (await lock.isHeld(true)) await writeIndex();
      } finally {
        await lock.release();
      }
    };
    const holder: Holder = { isHeld: lock.isHeld, end, release: () => this.#inTurn(end) };
    try {
      await this.#begin();
    } catch (error) {
      stop();
      await lock.release().catch(() => {});
      throw error;
    }
    this.#holder = holder;
    return holder;
  }

  /** Looks for missing files after the index was deleted, and after the formats of transcripts have changed. */
  async #begin(): Promise<void> {
    await this.#records.begin();
    const hasIndex = await this.#records.hasIndex();
    const { transcript, state } = (await this.#storedState()) ?? {};
    const isOfFormats = transcript?.join() === this.#extensions.join();
    if (!isOfFormats || !hasIndex) await this.#records.findMissingFiles(this.#extensions);
    if (!isOfFormats) await this.#writeState(state);
  }

  #lost = (problem: string) => new StoreLockLostError(`${this.#files.root} ${problem}`);

  async #storedState(): Promise<z.output<typeof stateSchema> | undefined> {
    return z.safeParse(stateSchema, await this.#files.readJson(STATE)).data;
  }

  async #writeState(state: string | undefined): Promise<void> {
    await this.#files.write(STATE, [jsonBytes({ transcript: this.#extensions, state })]);
  }
}
