/** What `syncMeetings` asks of a store. */
import type { DocumentTitles } from "../assumptions.js";
import type { RecordingDownload } from "../media/download/download-recording.js";
import type { Document } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import type { MissingPiece } from "./pieces.js";

/**
 * Where `syncMeetings` keeps meetings, and what it remembers of them. Data and memory are one write, so a crash loses
 * nothing. Guide: docs/database.md.
 */
export interface MeetingStore {
  /**
   * Holds the store for one run. If another run holds it: until when, unless that run renews it. The time is of the
   * store's clock, and stays the same until it is renewed.
   */
  lock?(): Promise<StoreLock | HeldStore>;
  /** The text that `write` stored last for the account; `undefined` at first. */
  readState(): Promise<string | undefined>;
  /** What `write` stored as `memory` for these meetings. */
  readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The ids whose `dueAt` is at or before this time, the earliest first. */
  due(until: Date, max: number): Promise<readonly string[]>;
  /**
   * The ids that have a memory, pending ones included, after this one, in any order that stays. Called after a full pass.
   */
  ids(after: string | undefined, max: number): Promise<readonly string[]>;
  /**
   * Writes all or nothing; what an item does not name stays as it is stored. Resolves to the ids whose stored memory is
   * not `before` (any more): nothing was written of these, and the engine asks for them anew. With a lock that was lost
   * it rejects with {@link StoreLockLostError}, and nothing is written.
   *
   * Without a lock (by a run with `only`, and `forgetMeetings`) it writes beside the run that holds the store. A store
   * that only one process may write takes its own lock for this write instead: it waits for it, a minute at most, and
   * then rejects with {@link StoreLockLostError}.
   */
  write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]>;
  /** Only stores of files have it: called before the `write` that says that the recording is there. */
  saveRecording?(meeting: Meeting, download: RecordingDownload): Promise<void>;
}

/** A store that another run holds. */
export interface HeldStore {
  /** When another run can have it, unless that run renews it. */
  readonly heldUntil: Date;
}

/** A store that is held for one run. */
export interface StoreLock {
  /** Lets other runs have the store. */
  release(): Promise<void>;
}

/** What is written at once. A batch names an id once. */
export interface StoreBatch {
  /** The new text for `readState`; absent: it stays as it is. */
  readonly state?: string;
  /** When the next run has something to do; absent: it stays as it is. */
  readonly nextAt?: Date;
  /** How the account is doing, for whoever operates it: it comes with `state`. A store may ignore it. */
  readonly health?: StoreHealth;
  /** The meetings with news. */
  readonly items: readonly StoreItem[];
  /** The meetings to remove, with everything that is stored of them. */
  readonly removed: readonly RemovedItem[];
}

/** How an account is doing. */
export interface StoreHealth {
  /** When the last poll that succeeded began; `undefined`: there was none. */
  readonly polledAt: Date | undefined;
  /** Since when the list of the service fails; `undefined`: it does not. */
  readonly failingSince: Date | undefined;
  /** Why it fails, in one line; `undefined`: it does not. */
  readonly error: string | undefined;
}

/** A meeting to remove. */
export interface RemovedItem {
  /** `mtg_…` */
  readonly id: string;
  /** The memory on which this was decided; `undefined`: there was none. */
  readonly before: string | undefined;
  /** What stays as the memory of the meeting, without a due time; absent: nothing. */
  readonly memory?: string;
}

/** What is new of a meeting. */
export interface StoreItem {
  /** `mtg_…` */
  readonly id: string;
  /** The row as it was received. Absent: the stored row stays (the meeting is gone, or not listed yet). */
  readonly meeting?: Meeting;
  /** Whether the service has a recording of the meeting. Absent: it stays as it is stored, or unknown. */
  readonly hasRecording?: boolean;
  /** Only if it is new. */
  readonly transcript?: Transcript;
  /** Only those that are new, each in each format. */
  readonly documents: readonly Document[];
  /** The kind of each of these documents whose title shows it, by its id: by the titles that `documents.find` uses. */
  readonly documentKinds: ReadonlyMap<string, keyof DocumentTitles | "notes">;
  /** The ids of documents that the meeting no longer has: they go in all formats. */
  readonly documentsGone: readonly string[];
  /** All pieces that are missing now. */
  readonly missing: readonly MissingPiece[];
  /** Whether the service no longer has the meeting. */
  readonly isGone: boolean;
  /** An opaque text, for `readMemory`. */
  readonly memory: string;
  /** The memory on which this item was decided; `undefined`: there was none. */
  readonly before: string | undefined;
  /** When the engine wants to look at the meeting again; `undefined`: not by itself. */
  readonly dueAt: Date | undefined;
}

/** What `syncMeetings` has written of a meeting. */
export interface MeetingChange {
  /** `mtg_…` */
  readonly id: string;
  /** The meeting as the list has it; `undefined` if the service no longer has it. */
  readonly meeting: Meeting | undefined;
  /** Whether the store did not have the meeting before. */
  readonly isNew: boolean;
  /**
   * What is new: the row of the list, the transcript, the recording, or a document, or that a document is no longer there.
   * `"gone"`: the service no longer has the meeting, or has it again. Empty if only `missing` has changed.
   */
  readonly changed: readonly (
    | "meeting"
    | "transcript"
    | "recording"
    | "gone"
    | {
        /** The id of the document: `doc_…` */
        readonly document: string;
      }
  )[];
  /** All pieces that are missing now. */
  readonly missing: readonly MissingPiece[];
}

/** The lock of a run was lost: another run has the store. A store of one's own throws it; it is known by its name. */
export class StoreLockLostError extends Error {
  /** By which it is known. */
  override readonly name = "StoreLockLostError";
}

export const isLockLost = (error: unknown): boolean => error instanceof Error && error.name === "StoreLockLostError";
