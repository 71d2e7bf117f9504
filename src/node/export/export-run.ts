/** One run of an export: reads the meeting list page by page, and saves the pieces of each meeting. */
import { BadRequestError, InvalidRequestError } from "../../errors/api-error.js";
import { isTemporary } from "../../errors/is-temporary.js";
import type { Meeting } from "../../schemas/meeting.js";
import { MeetingList, type MeetingPage } from "../reading/meeting-list.js";
import type { MeetingReader } from "../reading/meeting-reader.js";
import { isFatal, missingBecause } from "../reading/piece-failure.js";
import { missingPiece, nameOfPiece, type Piece, piecesOf } from "../reading/pieces.js";
import type { ListedMeeting } from "../reading/read-meeting.js";
import { jsonBytes } from "../sink/json-file.js";
import type { SinkWriter } from "../sink/sink-writer.js";
import type { Checkpoint, Job } from "./checkpoint.js";
import type { QueuedMeeting, SavedFile } from "./checkpoint-state.js";
import type { ExportPlan } from "./export-options.js";
import { forEachConcurrently } from "./for-each-concurrently.js";
import { currentRecord, type MeetingRecord, readRecord, withFiles, writeRecord } from "./meeting-records.js";
import { filesOf, type PieceResult, savePiece } from "./save-piece.js";

export interface ExportRunOptions {
  plan: ExportPlan;
  reader: MeetingReader;
  sink: SinkWriter;
  checkpoint: Checkpoint;
  /** Called at each step, with the title (or id) of the meeting that the step was about. */
  onStep(phase: "listing" | "exporting", current?: string): void;
}

export class ExportRun {
  readonly #options: ExportRunOptions;
  /** The records of the meetings in the queue. */
  readonly #records = new Map<string, MeetingRecord>();
  #list: MeetingList;

  /** `listedIds`: the meetings that earlier runs of this export have listed. */
  constructor(options: ExportRunOptions, listedIds: Iterable<string>) {
    this.#options = options;
    this.#list = new MeetingList(options.reader, options.plan.period, listedIds);
  }

  /** Saves everything that can be saved, and resolves to the ids of all meetings of the export. */
  async run(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { checkpoint, plan } = this.#options;
    for (;;) {
      await forEachConcurrently(checkpoint.jobs, plan.concurrency, signal, (job, groupSignal) =>
        this.#saveOrRecord(job, groupSignal),
      );
      this.#records.clear();
      if (!checkpoint.allListed) await this.#queueNextPage(signal);
      else if (!checkpoint.isLastTry) await checkpoint.retryPostponed();
      else return this.#list.seenIds;
    }
  }

  /** Resolves once the next page is in the checkpoint. */
  async #queueNextPage(signal: AbortSignal): Promise<void> {
    const { checkpoint, onStep } = this.#options;
    onStep("listing");
    const page = await this.#readPage(signal);
    const queue: QueuedMeeting[] = [];
    let existing = 0;
    for (const listed of page.meetings) {
      const pieces = await this.#piecesToSave(listed);
      existing += pieces.existing;
      if (pieces.wanted.length > 0) queue.push({ meeting: listed.meeting, pieces: pieces.wanted, saved: [] });
    }
    await checkpoint.commitPage(page, queue, existing);
  }

  async #readPage(signal: AbortSignal): Promise<MeetingPage> {
    const { checkpoint, plan, reader } = this.#options;
    try {
      return await this.#list.readPage(checkpoint.cursor, checkpoint.pages + 1, signal);
    } catch (error) {
      const isOutdatedCursor = checkpoint.cursor !== null && !this.#list.hasBegun && isRefused(error);
      if (!isOutdatedCursor) throw error;
      // The service no longer accepts the cursor of an earlier run: start again at the first page.
      checkpoint.restart();
      this.#list = new MeetingList(reader, plan.period);
      return this.#list.readPage(null, 1, signal);
    }
  }

  /** Writes the meeting's record and its row of the list, and returns the pieces to save. */
  async #piecesToSave({ meeting, received }: ListedMeeting): Promise<{ wanted: Piece[]; existing: number }> {
    const { checkpoint, plan, sink } = this.#options;
    const record = currentRecord(meeting, await readRecord(sink, meeting.id));
    await writeRecord(sink, record);
    await sink.saveFile(`${record.folder}/meeting.json`, jsonBytes(received));
    this.#records.set(meeting.id, record);
    const { pieces, missing } = piecesOf(meeting, { ...plan, transcript: plan.transcript.length > 0 });
    for (const piece of missing) checkpoint.addMissing(piece);
    if (!plan.skipExisting) return { wanted: pieces, existing: 0 };
    const wanted: Piece[] = [];
    for (const piece of pieces) {
      const files = filesOf({ plan, meeting, record }, piece);
      if (await this.#areSaved(record, files)) sink.countUnchanged(files.length);
      else wanted.push(piece);
    }
    return { wanted, existing: pieces.length - wanted.length };
  }

  /** Whether the files exist, and were made from the same data as the list contains now. */
  async #areSaved({ folder, files: savedFiles }: MeetingRecord, files: readonly SavedFile[]): Promise<boolean> {
    for (const { file, version } of files) {
      if (savedFiles.get(file)?.version !== version) return false;
      if ((await this.#options.sink.read(`${folder}/${file}`)) === undefined) return false;
    }
    return true;
  }

  /** Saves a piece, or records why it is missing. When this resolves, the checkpoint contains the result. */
  async #saveOrRecord(job: Job, signal: AbortSignal): Promise<void> {
    const { checkpoint, onStep } = this.#options;
    const { queued, piece } = job;
    const { meeting } = queued;
    const record = await this.#recordOf(meeting);
    const result = await savePiece({ ...this.#options, meeting, record }, piece, signal);
    if (result.kind === "failed") {
      if (signal.aborted) throw signal.reason;
      if (isFatal(piece, result.error)) throw result.error;
    }
    // The meeting's record must list all of its files before the last piece leaves the checkpoint.
    const files = result.kind === "saved" ? [...queued.saved, ...result.files] : queued.saved;
    if (queued.pieces.length === 1) await writeRecord(this.#options.sink, withFiles(record, files));
    this.#settle(job, result);
    await checkpoint.save();
    onStep("exporting", meeting.title ?? meeting.id);
  }

  /** Synchronous, because no other worker may run between reading the pieces of a meeting and removing one. */
  #settle(job: Job, result: PieceResult): void {
    const { checkpoint } = this.#options;
    const { piece, queued } = job;
    if (result.kind === "failed") {
      if (isTemporary(result.error) && !checkpoint.isLastTry) checkpoint.postpone(job);
      else checkpoint.giveUp(job, missingBecause(queued.meeting, piece, result.error));
      return;
    }
    if (result.issue !== undefined) {
      checkpoint.addMissing(missingPiece(queued.meeting, nameOfPiece(piece), "invalid", result.issue));
    }
    checkpoint.markSaved(job, result.files);
  }

  async #recordOf(meeting: Meeting): Promise<MeetingRecord> {
    const known = this.#records.get(meeting.id);
    if (known !== undefined) return known;
    const record = currentRecord(meeting, await readRecord(this.#options.sink, meeting.id));
    this.#records.set(meeting.id, record);
    return record;
  }
}

const isRefused = (error: unknown) => error instanceof BadRequestError || error instanceof InvalidRequestError;
