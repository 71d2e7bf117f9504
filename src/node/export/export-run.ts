/** One run of an export: walks the meeting list page by page, and saves each meeting in its folder. */
import { isTemporary } from "../../errors/is-temporary.js";
import type { Meeting } from "../../schemas/meeting.js";
import { forEachConcurrently } from "../reading/concurrently.js";
import { findGone, type MeetingPage, meetingPages } from "../reading/meeting-list.js";
import type { MeetingClient } from "../reading/pace.js";
import { isFatal, type MissingPiece, missingBecause, nameOf, type Piece, piecesOf } from "../reading/pieces.js";
import { type MeetingRow, readRow } from "../reading/received.js";
import { jsonBytes, type SinkWriter } from "../sink/sink.js";
import type { Checkpoint } from "./checkpoint.js";
import type { ExportOptions, ExportPlan, ExportProgress } from "./export-options.js";
import { entriesOf, type IndexEntry, readIndex, writeIndex } from "./index-file.js";
import {
  currentRecord,
  deleteMeeting,
  type MeetingRecord,
  missingOf,
  readRecord,
  withFiles,
  withMissing,
  withoutVersions,
  writeRecord,
} from "./meeting-records.js";
import { filesOf, type PieceOwner, type PieceResult, savePiece } from "./save-piece.js";

export interface ExportRunOptions {
  plan: ExportPlan;
  client: MeetingClient;
  sink: SinkWriter;
  checkpoint: Checkpoint;
  onGone: ExportOptions["onGone"];
  /** Called at each step, with the title (or id) of the meeting that the step was about. */
  onStep(phase: "listing" | "exporting", current?: string): void;
}

/** A meeting whose record belongs to this export, and the pieces to fetch. */
interface OpenMeeting {
  meeting: Meeting;
  record: MeetingRecord;
  pieces: Piece[];
}

/** The page that is being exported: its meetings, those that are not finished, and its pieces. */
const NO_PAGE = { meetings: 0, unfinished: 0, saved: 0, postponed: 0 };

export class ExportRun {
  readonly #options: ExportRunOptions;
  readonly #signal: AbortSignal;
  /** What is missing of each meeting that this run has handled, by the meeting's id. */
  readonly #missing = new Map<string, readonly MissingPiece[]>();
  #page = NO_PAGE;

  constructor(options: ExportRunOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** In no particular order. */
  get missing(): MissingPiece[] {
    return [...this.#options.checkpoint.unreadable, ...[...this.#missing.values()].flat()];
  }

  get progress(): Omit<ExportProgress, "phase" | "current" | "waitMs"> {
    const { done, place, saved } = this.#options.checkpoint;
    const meetings = done.size + this.#page.meetings;
    return {
      meetings,
      meetingsDone: meetings - this.#page.unfinished,
      allListed: place.cursor === undefined,
      saved: saved + this.#page.saved,
      missing: this.missing.length,
    };
  }

  /** Saves everything that can be saved. */
  async run(): Promise<void> {
    const { plan, client, checkpoint, onStep } = this.#options;
    const { place, done } = checkpoint;
    const onRefusedCursor = () => checkpoint.restart();
    const list = { period: plan.period, place, seen: new Set(done), onRefusedCursor };
    if (place.cursor !== undefined) onStep("listing");
    for await (const page of meetingPages(client, list, this.#signal)) {
      await this.#savePage(page);
      if (page.next.cursor !== undefined) onStep("listing");
    }
    await this.#writeIndex(await this.#finishMeetings());
    await checkpoint.complete();
  }

  async #savePage(page: MeetingPage): Promise<void> {
    const { checkpoint, plan } = this.#options;
    this.#page = { ...NO_PAGE };
    const meetings: OpenMeeting[] = [];
    for (const row of page.rows) meetings.push(await this.#open(row));
    await checkpoint.markOpen(page.rows.map(({ meeting }) => meeting.id));
    this.#page.meetings = meetings.length;
    this.#page.unfinished = meetings.filter(({ pieces }) => pieces.length > 0).length;
    await forEachConcurrently(meetings, plan.concurrency, this.#signal, async (meeting, signal) => {
      await this.#saveMeeting(meeting, signal);
    });
    checkpoint.saved += this.#page.saved;
    checkpoint.postponed += this.#page.postponed;
    this.#page = NO_PAGE;
    await checkpoint.markDone(page);
  }

  /** Writes the meeting's record and its row of the list, and decides which pieces to fetch. */
  async #open({ meeting, received, issue }: MeetingRow): Promise<OpenMeeting> {
    const { checkpoint, plan, sink } = this.#options;
    const { pieces, missing } = piecesOf(meeting, plan.wanted);
    if (issue !== undefined) missing.unshift({ what: "meeting", reason: "invalid", message: issue });
    const earlier = await readRecord(sink, meeting.id);
    const isOpen = earlier !== undefined && checkpoint.open.has(meeting.id);
    // What a run of this export has tried already is not tried again before the end.
    const names = new Set(pieces.map(nameOf));
    const tried = isOpen ? earlier.missing.filter(({ what, reason }) => names.has(what) && reason !== "not_ready") : [];
    let record: MeetingRecord = { ...currentRecord(meeting, earlier), missing: [...missing, ...tried] };
    if (!isOpen && !plan.skipExisting) {
      const owner = { plan, meeting, record };
      for (const piece of pieces) record = withoutVersions(record, filesOf(owner, piece));
    }
    await writeRecord(sink, record);
    await sink.saveFile(`${record.folder}/meeting.json`, jsonBytes(received));
    this.#noteMissing(record);
    const wanted: Piece[] = [];
    for (const piece of pieces) {
      const state = await this.#stateOf({ plan, meeting, record }, piece);
      if (state === "wanted") wanted.push(piece);
      else if (state !== "missing") this.#page[state] += 1;
    }
    return { meeting, record, pieces: wanted };
  }

  /** Whether the piece is saved and has not changed since, could not be saved by this export, or is to be fetched. */
  async #stateOf(owner: PieceOwner, piece: Piece): Promise<"saved" | "postponed" | "missing" | "wanted"> {
    const { plan, sink } = this.#options;
    const { folder, files, missing } = owner.record;
    const tried = missing.find(({ what }) => what === nameOf(piece));
    if (tried?.reason === "invalid") return "saved";
    if (tried !== undefined) return tried.again ? "postponed" : "missing";
    const expected = filesOf(owner, piece);
    for (const { file, version } of expected) {
      if (files.get(file)?.version !== version) return "wanted";
      if ((await sink.read(`${folder}/${file}`)) === undefined) return "wanted";
    }
    if (plan.skipExisting) sink.unchanged += expected.length;
    return "saved";
  }

  /** Saves the pieces one after another. After each one, the record says what became of it. */
  async #saveMeeting({ meeting, record, pieces }: OpenMeeting, signal: AbortSignal): Promise<MeetingRecord> {
    const { sink, onStep } = this.#options;
    let current = record;
    for (const [index, piece] of pieces.entries()) {
      const result = await savePiece({ ...this.#options, meeting, record: current }, piece, signal);
      if (result.kind === "failed" && signal.aborted) throw signal.reason;
      current = this.#settle(current, piece, result);
      await writeRecord(sink, current);
      this.#noteMissing(current);
      if (index === pieces.length - 1 && this.#page.unfinished > 0) this.#page.unfinished -= 1;
      onStep("exporting", meeting.title ?? meeting.id);
    }
    return current;
  }

  /** The record after the attempt to save the piece. Throws an error that ends the export. */
  #settle(record: MeetingRecord, piece: Piece, result: PieceResult): MeetingRecord {
    const what = nameOf(piece);
    if (result.kind === "saved") {
      this.#page.saved += 1;
      const { files, issue } = result;
      const missing = issue === undefined ? undefined : ({ what, reason: "invalid", message: issue } as const);
      return withMissing(withFiles(record, files), what, missing);
    }
    const { error } = result;
    if (isFatal(piece, error)) throw error;
    const isSecondTry = record.missing.some((missing) => missing.what === what);
    const again = isSecondTry || isTemporary(error);
    if (again && !isSecondTry) this.#page.postponed += 1;
    return withMissing(record, what, { ...missingBecause(piece, error), ...(again && { again }) });
  }

  /** Tries once more what failed for a passing reason. Resolves to the entries of all meetings in the index. */
  async #finishMeetings(): Promise<IndexEntry[]> {
    const { checkpoint, plan, sink } = this.#options;
    const entries: IndexEntry[] = [];
    let failed = 0;
    this.#page = { ...NO_PAGE };
    await forEachConcurrently(checkpoint.done, plan.concurrency, this.#signal, async (id, signal) => {
      const record = await readRecord(sink, id);
      if (record === undefined) return;
      const finished = await this.#tryAgain(record, signal);
      this.#noteMissing(finished);
      failed += finished.missing.filter(({ again }) => again).length;
      for (const entry of entriesOf(finished)) entries.push(entry);
    });
    checkpoint.saved += checkpoint.postponed - failed;
    this.#page = NO_PAGE;
    return entries;
  }

  async #tryAgain(record: MeetingRecord, signal: AbortSignal): Promise<MeetingRecord> {
    const { plan, sink } = this.#options;
    const names = new Set(record.missing.flatMap(({ what, again }) => (again ? what : [])));
    if (names.size === 0) return record;
    const meeting = readRow(await sink.readJson(`${record.folder}/meeting.json`))?.meeting;
    if (meeting?.id !== record.id) return record;
    const pieces = piecesOf(meeting, plan.wanted).pieces.filter((piece) => names.has(nameOf(piece)));
    return this.#saveMeeting({ meeting, record, pieces }, signal);
  }

  /** Reports and prunes the meetings that no longer exist, and writes the index of all saved files. */
  async #writeIndex(entries: IndexEntry[]): Promise<void> {
    const { plan, sink, checkpoint, onGone } = this.#options;
    const earlier = (await readIndex(sink)).filter(({ meeting_id }) => !checkpoint.done.has(meeting_id));
    const gone = plan.prune || onGone !== undefined ? await this.#goneMeetings(earlier) : [];
    for (const id of gone) {
      const record = plan.prune ? await readRecord(sink, id) : undefined;
      if (record !== undefined) await deleteMeeting(sink, record);
      await onGone?.(id);
    }
    const pruned = new Set(plan.prune ? gone : []);
    await writeIndex(sink, [...entries, ...earlier.filter(({ meeting_id }) => !pruned.has(meeting_id))]);
  }

  /**
   * The meetings that an earlier export has saved, that are surely in the period of this export, and that the service
   * does not return by id.
   */
  #goneMeetings(earlier: readonly IndexEntry[]): Promise<string[]> {
    const { plan, client } = this.#options;
    const candidates = earlier.filter(({ date }) => plan.period.surelyIncludes(date));
    return findGone(client, [...new Set(candidates.map(({ meeting_id }) => meeting_id))], this.#signal);
  }

  #noteMissing(record: MeetingRecord): void {
    if (record.missing.length > 0) this.#missing.set(record.id, missingOf(record));
    else this.#missing.delete(record.id);
  }
}
