/** One run of an export: walks the meeting list page by page, and saves each meeting in its folder. */

import type { FollowingSignal } from "../../async/abort.js";
import { throwIfAborted } from "../../async/abort.js";
import { isRefusal } from "../../errors/is-refusal.js";
import type { Meeting } from "../../schemas/meeting.js";
import { forEachConcurrently } from "../../sync/concurrently.js";
import {
  findGone,
  type GoneMeetings,
  LIST_START,
  type ListPlace,
  type MeetingPage,
  meetingPages,
} from "../../sync/meeting-list.js";
import { type MeetingClient, pacedClient } from "../../sync/pace.js";
import { isOfStatus, type MissingPiece, nameOf, type Piece, piecesOf } from "../../sync/pieces.js";
import { type MeetingRow, readRow } from "../../sync/received.js";
import { jsonBytes, SinkWriter } from "../sink/sink.js";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.js";
import { type EarlierMeeting, earlierMeetings } from "./earlier-meetings.js";
import type { ExportPlan, ExportProgress, ExportSummary } from "./export-options.js";
import { entriesOf, writeIndex } from "./index-file.js";
import { filesOf, isSaved, type PieceOwner, type PieceResult, savePiece } from "./save-piece.js";
import {
  deleteMeeting,
  missingOf,
  readKnownIds,
  readSavedMeeting,
  recordWith,
  type SavedFile,
  type SavedMeeting,
  updatedMeeting,
  writeKnownIds,
  writeSavedMeeting,
} from "./saved-meetings.js";

/** Shorter waits are not reported: near the rate limit, most requests wait for a moment. */
const MIN_REPORTED_WAIT_MS = 1_000;

/** A meeting and the pieces to fetch. */
type OpenMeeting = readonly [meeting: Meeting, pieces: readonly Piece[]];

export class ExportRun {
  readonly #plan: ExportPlan;
  readonly #following: FollowingSignal;
  readonly #sink: SinkWriter;
  readonly #client: MeetingClient;
  /** The records of the meetings of this export, those of earlier runs included. */
  readonly #records = new Map<string, SavedMeeting>();
  /** The ids of all meetings that may have a record, those of other exports included. */
  #known = new Set<string>();
  #requests = 0;
  #place = LIST_START;
  /** The rows without an id on the pages before that place. */
  #unreadable: readonly MissingPiece[] = [];
  /** Resolves when the last call of `onProgress` has. */
  #reported = Promise.resolve();

  constructor(notetaker: MeetingClient, plan: ExportPlan, following: FollowingSignal) {
    this.#plan = plan;
    this.#following = following;
    this.#sink = new SinkWriter(plan.sink);
    const count = () => {
      this.#requests += 1;
    };
    this.#client = pacedClient(notetaker, plan.requestsPerMinute, count, (waitMs) => {
      if (waitMs >= MIN_REPORTED_WAIT_MS) this.#report("waiting", undefined, waitMs);
    });
  }

  /** Saves everything that can be saved. */
  async run(): Promise<ExportSummary> {
    const { signal } = this.#following;
    this.#known = await readKnownIds(this.#sink);
    const resumed = await this.#resume();
    if (this.#place.cursor !== undefined) this.#report("listing");
    for await (const page of this.#pages()) {
      await this.#savePage(page);
      if (page.next.cursor !== undefined) this.#report("listing");
    }
    await this.#tryAgain();
    const notPruned = await this.#finish();
    this.#report("done");
    await this.#reported;
    throwIfAborted(signal);
    const missing = [...this.#unreadable, ...[...this.#records.values()].flatMap(missingOf)];
    missing.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const { written, unchanged } = this.#sink;
    const { saved } = totalsOf(this.#records.values());
    const requests = this.#requests;
    return { meetings: this.#records.size, saved, missing, written, unchanged, requests, resumed, notPruned };
  }

  /** Loads the state of an unfinished export with the same plan, if there is one. */
  async #resume(): Promise<boolean> {
    const checkpoint = await readCheckpoint(this.#sink, this.#plan.key);
    if (checkpoint === undefined) return false;
    const records: (SavedMeeting | undefined)[] = [];
    await forEachConcurrently(checkpoint.meetings, this.#plan.concurrency, this.#following, async (id) => {
      records.push(await readSavedMeeting(this.#sink, id));
    });
    // If the folder was removed or damaged while an export wrote to it, a new export begins.
    if (!records.every((record) => record !== undefined)) return false;
    for (const record of records) this.#records.set(record.id, record);
    this.#place = checkpoint.place;
    this.#unreadable = checkpoint.unreadable;
    return true;
  }

  /** The pages of the list that remain. If the service refuses the saved cursor, the list begins at its first page. */
  async *#pages(): AsyncGenerator<MeetingPage, void, undefined> {
    const saved = this.#place;
    const from = (place: ListPlace) =>
      meetingPages(this.#client, place, this.#plan.period, new Set(), this.#following.signal);
    try {
      yield* from(saved);
    } catch (error) {
      if (!isRefusal(error) || this.#place !== saved || saved.cursor === null) throw error;
      this.#place = LIST_START;
      this.#unreadable = [];
      yield* from(LIST_START);
    }
  }

  async #savePage(page: MeetingPage): Promise<void> {
    const meetings: OpenMeeting[] = [];
    for (const { meeting } of page.rows) this.#known.add(meeting.id);
    await writeKnownIds(this.#sink, this.#known);
    for (const row of page.rows) meetings.push(await this.#open(row));
    await this.#writeCheckpoint();
    await this.#saveMeetings(meetings);
    this.#place = page.next;
    this.#unreadable = [...this.#unreadable, ...page.unreadable];
    await this.#writeCheckpoint();
  }

  #writeCheckpoint(): Promise<void> {
    const checkpoint = { place: this.#place, meetings: [...this.#records.keys()], unreadable: this.#unreadable };
    return writeCheckpoint(this.#sink, this.#plan.key, checkpoint);
  }

  /** Writes the meeting's record and its row of the list, and decides which pieces to fetch. */
  async #open(row: MeetingRow): Promise<OpenMeeting> {
    const { meeting } = row;
    const { skipExisting, wanted } = this.#plan;
    const { pieces, missing } = piecesOf(row, wanted);
    const earlier = this.#records.get(meeting.id);
    const record = updatedMeeting(meeting, earlier ?? (await readSavedMeeting(this.#sink, meeting.id)));
    const owner = this.#ownerOf(meeting, record);
    const open: Piece[] = [];
    let saved = 0;
    for (const piece of pieces) {
      const what = nameOf(piece);
      const tried = earlier?.missing.find((one) => one.what === what && !isOfStatus(one));
      const mayBeSaved = skipExisting || (earlier !== undefined && !earlier.open.includes(what));
      if (tried !== undefined) {
        // What a run of this export has tried already is not tried again before the end.
        missing.push(tried);
        saved += Number(tried.reason === "invalid");
      } else if (mayBeSaved && (await isSaved(owner, piece))) {
        saved += 1;
        if (skipExisting) this.#sink.unchanged += filesOf(owner, piece).length;
      } else open.push(piece);
    }
    const files = open.flatMap((piece) => filesOf(owner, piece));
    const opened = { ...recordWith(record, files), open: open.map(nameOf), saved, missing };
    await writeSavedMeeting(this.#sink, opened);
    this.#records.set(meeting.id, opened);
    await this.#sink.saveFile(`${record.folder}/meeting.json`, jsonBytes(row.received));
    return [meeting, open];
  }

  async #saveMeetings(meetings: readonly OpenMeeting[]): Promise<void> {
    const { signal } = this.#following;
    await forEachConcurrently(meetings, this.#plan.concurrency, this.#following, async ([meeting, pieces]) => {
      for (const piece of pieces) {
        const record = this.#records.get(meeting.id) as SavedMeeting;
        const result = await savePiece(this.#ownerOf(meeting, record), piece, signal);
        const after = recordAfter(this.#records.get(meeting.id) as SavedMeeting, piece, result);
        await writeSavedMeeting(this.#sink, after);
        this.#records.set(meeting.id, after);
        this.#report("exporting", meeting.title ?? meeting.id);
      }
    });
  }

  #ownerOf(meeting: Meeting, record: SavedMeeting): PieceOwner {
    const announce = async (files: readonly SavedFile[]) => {
      if (files.every(({ file }) => record.files.has(file))) return;
      const announced = recordWith(record, files);
      await writeSavedMeeting(this.#sink, announced);
      this.#records.set(meeting.id, announced);
    };
    return { plan: this.#plan, client: this.#client, sink: this.#sink, meeting, record, announce };
  }

  /** Tries once more what failed for a passing reason. */
  async #tryAgain(): Promise<void> {
    const meetings: OpenMeeting[] = [];
    for (const record of this.#records.values()) {
      const names = record.missing.flatMap((one) => (one.retryable && !isOfStatus(one) ? one.what : []));
      const row = names.length > 0 ? readRow(await this.#sink.readJson(`${record.folder}/meeting.json`)) : undefined;
      if (row?.meeting.id !== record.id) continue;
      const { pieces } = piecesOf(row, this.#plan.wanted);
      meetings.push([row.meeting, pieces.filter((piece) => names.includes(nameOf(piece)))]);
    }
    await this.#saveMeetings(meetings);
  }

  /**
   * Reports and prunes the meetings that no longer exist, and writes the index of all saved files. Resolves to the reason
   * if it cannot tell which meetings these are.
   */
  async #finish(): Promise<string | undefined> {
    const { prune, onGone, key } = this.#plan;
    // The list contained these meetings when an earlier run ended, and does not any more.
    for (const [id, { open }] of this.#records) if (open.length > 0) this.#records.delete(id);
    const earlier = await earlierMeetings(this.#sink, this.#known, this.#records);
    const { gone, doubt } = prune || onGone !== undefined ? await this.#goneMeetings(earlier) : { gone: [] };
    for (const id of gone) {
      const record = prune ? await readSavedMeeting(this.#sink, id) : undefined;
      if (record !== undefined) await deleteMeeting(this.#sink, record);
      await onGone?.(id);
      if (prune) earlier.delete(id);
    }
    const entries = [...this.#records.values()].flatMap(entriesOf);
    await writeIndex(this.#sink, [...entries, ...[...earlier.values()].flatMap(({ indexed }) => indexed)]);
    await writeKnownIds(this.#sink, new Set([...this.#records.keys(), ...earlier.keys()]));
    await writeCheckpoint(this.#sink, key);
    return doubt;
  }

  /**
   * The meetings that an earlier export has saved, that are surely in the period of this export, and that the service
   * does not return by id.
   */
  #goneMeetings(earlier: ReadonlyMap<string, EarlierMeeting>): Promise<GoneMeetings> {
    const ids = [...earlier].flatMap(([id, { date }]) => (this.#plan.period.surelyIncludes(date) ? id : []));
    return findGone(this.#client, ids, this.#records.keys(), this.#following.signal);
  }

  /** Calls `onProgress`. Its error ends the export, whether it is thrown or rejected. */
  #report(phase: ExportProgress["phase"], current?: string, waitMs?: number): void {
    const { onProgress } = this.#plan;
    if (onProgress === undefined) return;
    const { meetingsDone, saved, missing } = totalsOf(this.#records.values());
    const progress: ExportProgress = {
      phase,
      meetings: this.#records.size,
      meetingsDone,
      allListed: this.#place.cursor === undefined,
      saved,
      missing: missing + this.#unreadable.length,
      current,
      waitMs,
    };
    const call = async () => onProgress(progress);
    this.#reported = call().catch(this.#following.abort);
  }
}

function totalsOf(records: Iterable<SavedMeeting>) {
  const totals = { meetingsDone: 0, saved: 0, missing: 0 };
  for (const { open, saved, missing } of records) {
    if (open.length === 0) totals.meetingsDone += 1;
    totals.saved += saved;
    totals.missing += missing.length;
  }
  return totals;
}

function recordAfter(record: SavedMeeting, piece: Piece, { files, missing }: PieceResult): SavedMeeting {
  const what = nameOf(piece);
  const others = record.missing.filter((one) => one.what !== what);
  return {
    ...record,
    files: new Map([...record.files, ...(files ?? []).map((file) => [file.file, file] as const)]),
    open: record.open.filter((name) => name !== what),
    saved: record.saved + (files === undefined ? 0 : 1),
    missing: missing === undefined ? others : [...others, missing],
  };
}

const sortKey = ({ meeting_id, what }: MissingPiece) => `${meeting_id} ${what}`;
