/**
 * The progress of an export, stored in the sink itself:
 * - `checkpoint.json`: the position in the meeting list, the pieces that are not saved yet, and those of the current
 *   page that could not be saved. It is written after each piece, once the sink has stored that piece
 * - `missing.json`: the pieces of earlier pages that could not be saved
 * - `pages/`: the ids on each page that was read
 *
 * `missing.json` and `pages/` are separate files, so that `checkpoint.json` stays small.
 */
import * as z from "zod/mini";
import type { MeetingPage } from "../reading/meeting-list.js";
import type { MissingPiece, Piece } from "../reading/pieces.js";
import { jsonBytes, readJson } from "../sink/json-file.js";
import { STATE_FOLDER } from "../sink/sink.js";
import type { SinkWriter } from "../sink/sink-writer.js";
import {
  type CheckpointState,
  idsSchema,
  initialState,
  missingPiecesSchema,
  parseCheckpointState,
  type QueuedMeeting,
  type SavedFile,
} from "./checkpoint-state.js";

const CHECKPOINT = `${STATE_FOLDER}/checkpoint.json`;
const MISSING = `${STATE_FOLDER}/missing.json`;
const pagePath = (page: number) => `${STATE_FOLDER}/pages/${page}.json`;

/** A piece to save. */
export interface Job {
  queued: QueuedMeeting;
  piece: Piece;
}

export interface CheckpointProgress {
  meetings: number;
  meetingsDone: number;
  allListed: boolean;
  saved: number;
  missing: number;
}

export class Checkpoint {
  readonly #sink: SinkWriter;
  readonly #state: CheckpointState;
  /** By meeting and piece, so that each piece is listed once. */
  readonly #missing: Map<string, MissingPiece>;
  /** Whether this run resumes an unfinished one. */
  readonly resumed: boolean;
  /** Whether `missing.json` is out of date. Starts as true, because the file may be from an earlier export. */
  #missingChanged = true;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(sink: SinkWriter, state: CheckpointState, missing: readonly MissingPiece[], resumed: boolean) {
    this.#sink = sink;
    this.#state = state;
    this.#missing = new Map(missing.map((piece) => [keyOf(piece), piece]));
    this.resumed = resumed;
  }

  /** Loads the checkpoint of an unfinished export with the same plan, or begins a new one. */
  static async load(sink: SinkWriter, plan: string): Promise<Checkpoint> {
    const state = parseCheckpointState(await readJson(sink, CHECKPOINT));
    if (state === undefined || state.plan !== plan || state.complete) {
      return new Checkpoint(sink, initialState(plan), [], false);
    }
    // If the folder was removed while an export wrote to it, a page is missing. Then saved pieces may be missing, too.
    if (!(await hasPages(sink, state.pages))) return new Checkpoint(sink, initialState(plan), [], false);
    const missing = z.safeParse(missingPiecesSchema, await readJson(sink, MISSING)).data ?? [];
    return new Checkpoint(sink, state, [...missing, ...state.missing], true);
  }

  /** The cursor of the page to read next; `null` for the first page. */
  get cursor(): string | null {
    return this.#state.cursor;
  }

  /** How many pages were read. */
  get pages(): number {
    return this.#state.pages;
  }

  get allListed(): boolean {
    return this.#state.allListed;
  }

  /** Whether the remaining pieces are being tried for the last time. */
  get isLastTry(): boolean {
    return this.#state.retryingPostponed;
  }

  get missing(): MissingPiece[] {
    return [...this.#missing.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  get progress(): CheckpointProgress {
    const { queue, postponed, meetings, allListed, saved } = this.#state;
    const open = new Set([...queue, ...postponed].map(({ meeting }) => meeting.id)).size;
    return { meetings, meetingsDone: meetings - open, allListed, saved, missing: this.#missing.size };
  }

  /** The pieces of the queue that are not saved yet. */
  get jobs(): Job[] {
    return this.#state.queue.flatMap((queued) => queued.pieces.map((piece) => ({ queued, piece })));
  }

  /** The ids of the meetings on all pages that were read. */
  async listedIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; page <= this.#state.pages; page++) {
      const onPage = z.safeParse(idsSchema, await readJson(this.#sink, pagePath(page))).data ?? [];
      for (const id of onPage) ids.push(id);
    }
    return ids;
  }

  /** The piece is saved in these files. */
  markSaved({ queued, piece }: Job, files: readonly SavedFile[]): void {
    this.#state.saved += 1;
    queued.saved.push(...files);
    this.#remove(queued, piece);
  }

  /** The piece is tried again at the end. */
  postpone({ queued, piece }: Job): void {
    const { postponed } = this.#state;
    const { meeting } = queued;
    const earlier = postponed.find((other) => other.meeting.id === meeting.id);
    if (earlier === undefined) postponed.push({ meeting, pieces: [piece], saved: [] });
    else earlier.pieces.push(piece);
    this.#remove(queued, piece);
  }

  /** The piece is not saved, and is not tried again. */
  giveUp({ queued, piece }: Job, missing: MissingPiece): void {
    this.addMissing(missing);
    this.#remove(queued, piece);
  }

  /** Adds an entry to the report of missing pieces. */
  addMissing(piece: MissingPiece): void {
    this.#missing.set(keyOf(piece), piece);
    this.#missingChanged = true;
    this.#state.missing.push(piece);
  }

  /** Resolves when this state, or a later one, is written. Callers share a write that has not started. */
  save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#sink.write(CHECKPOINT, Buffer.from(JSON.stringify(this.#state)));
      return this.#writing;
    });
    return this.#next;
  }

  /**
   * The page was read. `queue` has the pieces to save of its meetings; `existing` is the number of pieces that were
   * saved before.
   */
  async commitPage(page: MeetingPage, queue: QueuedMeeting[], existing: number): Promise<void> {
    const { pages, meetings, saved } = this.#state;
    for (const piece of page.missing) this.addMissing(piece);
    await this.#sink.writeChanged(pagePath(pages + 1), jsonBytes(page.meetings.map(({ meeting }) => meeting.id)));
    await this.#commit({
      queue,
      pages: pages + 1,
      cursor: page.nextCursor,
      allListed: page.nextCursor === null,
      meetings: meetings + page.meetings.length,
      saved: saved + existing,
    });
  }

  /** Queues the postponed pieces for their last attempt. */
  retryPostponed(): Promise<void> {
    return this.#commit({ queue: this.#state.postponed, postponed: [], retryingPostponed: true });
  }

  complete(): Promise<void> {
    return this.#commit({ complete: true });
  }

  /** Goes back to the first page. */
  restart(): void {
    this.#missing.clear();
    Object.assign(this.#state, initialState(this.#state.plan));
  }

  #remove(queued: QueuedMeeting, piece: Piece): void {
    queued.pieces = queued.pieces.filter((other) => other !== piece);
    if (queued.pieces.length === 0) this.#state.queue = this.#state.queue.filter((other) => other !== queued);
  }

  /** Writes `missing.json` before the checkpoint, so that a crash in between loses nothing. */
  async #commit(changes: Partial<CheckpointState>): Promise<void> {
    if (this.#missingChanged) await this.#sink.writeChanged(MISSING, jsonBytes(this.missing));
    this.#missingChanged = false;
    Object.assign(this.#state, { missing: [] }, changes);
    await this.save();
  }
}

const keyOf = ({ meeting_id, what }: MissingPiece) => `${meeting_id} ${what}`;

/** Whether the sink has the ids of every page that was read. */
async function hasPages(sink: SinkWriter, pages: number): Promise<boolean> {
  for (let page = 1; page <= pages; page++) if ((await sink.read(pagePath(page))) === undefined) return false;
  return true;
}
