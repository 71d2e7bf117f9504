/** Examines meetings: requests the pieces that `examine.ts` names, and writes what it says, as soon as it has come. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { MINUTE_MS } from "../async/timers.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { RecordingDownload } from "../media/download/download-recording.js";
import { idProblem } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import {
  type Answer,
  type Answers,
  type Finding,
  type Look,
  missingOf,
  settle,
  settleAbsent,
  settleOutside,
  settleUnanswered,
  toAsk,
} from "./examine.js";
import { fetchPiece } from "./fetch-piece.js";
import type { FoundMeetings } from "./meeting-list.js";
import { FORGOTTEN, type Known, parseMemory } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { type Gap, gapOf, missingPiece, nameOf, type Piece, rejectedByStore } from "./pieces.js";
import type { MeetingRow } from "./rows.js";
import type { Run } from "./run.js";
import { isLockLost } from "./write.js";

/** How many ids are requested at once. */
export const IDS_AT_ONCE = 48;
/** The row of a page may be older than a memory that was written this long before the page was requested, or later. */
const STALE_MS = MINUTE_MS;
/** What is there is written before a wait that is longer. */
const LONGEST_HOLD_MS = 10_000;
/** How often another run may write a meeting in between before it is left to that run. */
const MAX_CONFLICTS = 5;

/** A meeting with news. */
interface News {
  readonly row: MeetingRow;
  readonly known: Known;
  readonly look: Look;
  readonly ask: readonly Piece[];
}

export class Examiner {
  /** Meetings to request by their ids: their row may be older than what is stored, or another run has written them. */
  readonly again = new Set<string>();
  /** How many meetings were written. */
  writes = 0;
  /** How many ids are requested at once: fewer after a failure. */
  idsAtOnce = IDS_AT_ONCE;
  readonly #run: Run;
  readonly #conflicts = new Map<string, number>();

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Examines rows of the list, some at a time. Resolves to those that were not examined, because something more urgent
   * has come. `requestedMs`: when their page was requested; absent: they were requested by their ids.
   */
  async rows(
    rows: readonly MeetingRow[],
    { look, requestedMs, countsAll = false }: { look: Look; requestedMs?: number; countsAll?: boolean },
    hasUrgent: () => boolean | Promise<boolean>,
  ): Promise<readonly MeetingRow[]> {
    const { plan, report } = this.#run;
    const memories = await this.memories(rows.map(({ meeting }) => meeting.id));
    const news = rows.flatMap((row) => {
      const known = memories.get(row.meeting.id);
      if (known === undefined) return [];
      const found = this.#newsOf(row, known, look, requestedMs);
      if (countsAll || found !== undefined) report.count(row.meeting.id);
      return found ?? [];
    });
    for (let start = 0; start < news.length; start += plan.concurrency) {
      if (start > 0 && (await hasUrgent())) return news.slice(start).map(({ row }) => row);
      const group = news.slice(start, start + plan.concurrency).map((one) => this.#one(one));
      // All have ended before the first failure is thrown: a write is never left alone.
      for (const end of await Promise.allSettled(group)) if (end.status === "rejected") throw end.reason;
    }
    return [];
  }

  /** Examines the answer to a request by ids. Resolves to the ids of which it says nothing. */
  async found(
    ids: readonly string[],
    { rows, isComplete }: FoundMeetings,
    look: Look,
    hasUrgent: () => boolean | Promise<boolean>,
  ): Promise<string[]> {
    const { plan, terms } = this.#run;
    const undecided: string[] = [];
    const listed: MeetingRow[] = [];
    const memories = await this.memories(ids);
    for (const [id, known] of memories) {
      const row = rows.get(id);
      const isInPeriod = row !== undefined && (plan.only !== undefined || plan.period.includes(row.meeting.start_time));
      if (isInPeriod) listed.push(row);
      else if (row !== undefined) await this.#writeOrForget(id, known, settleOutside(id, known));
      else if (known.memory !== undefined && !isComplete) undecided.push(id);
      else await this.#writeOrForget(id, known, settleAbsent(id, known, look, terms, Date.now()));
    }
    await this.rows(listed, { look }, hasUrgent);
    return undecided;
  }

  /** What the store remembers of these meetings, without those that are forgotten for good. */
  async memories(ids: readonly string[]): Promise<Map<string, Known>> {
    const texts = await this.#run.store.call((store) => store.readMemory(ids));
    const known = ids.map((id) => [id, parseMemory(texts.get(id))] as const);
    return new Map(known.filter(([, { text }]) => text !== FORGOTTEN));
  }

  /** The service answers no request for this id: it is due, and a later run requests it as well. */
  async unanswered(id: string): Promise<void> {
    const { terms, report } = this.#run;
    const known = (await this.memories([id])).get(id);
    if (known === undefined) return;
    await this.writeMemory(id, settleUnanswered(id, known, terms, Date.now()));
    const title = known.memory?.seen?.title ?? null;
    const missing = known.memory?.seen === undefined ? [] : missingOf(id, known.memory);
    report.setMissing(id, [missingPiece({ id, title }, UNANSWERED), ...missing]);
  }

  /** Writes what was found of a meeting without its row. */
  async writeMemory(id: string, finding: Finding | undefined): Promise<void> {
    if (finding === undefined) return;
    const result = await this.#run.store.write(finding);
    if (result === "conflict") this.#onConflict(id);
    else if (result !== "written") this.#onNothingTaken(id, result.refusal);
    else this.writes += 1;
  }

  async #writeOrForget(id: string, known: Known, finding: Finding | "forget" | undefined): Promise<void> {
    if (finding !== "forget") return this.writeMemory(id, finding);
    await this.#run.store.remove({ id, before: known.text });
    this.#run.report.setMissing(id, []);
    this.writes += 1;
  }

  #newsOf(row: MeetingRow, known: Known, look: Look, requestedMs: number | undefined): News | undefined {
    const { terms, report } = this.#run;
    const { id } = row.meeting;
    const ask = toAsk(row, known, look, terms, Date.now());
    if (ask === undefined) {
      if (known.memory !== undefined) report.setMissing(id, missingOf(id, known.memory));
      return undefined;
    }
    const writtenMs = known.memory?.writtenMs ?? Number.NEGATIVE_INFINITY;
    const isStale = requestedMs !== undefined && writtenMs > requestedMs - STALE_MS;
    if (!isStale || idProblem("meetingId", id) !== undefined) return { row, known, look, ask };
    this.again.add(id);
    return undefined;
  }

  /** Requests the pieces one after another. What has come is written before the next one has to wait. */
  async #one(news: News): Promise<void> {
    const { client } = this.#run;
    let { known } = news;
    let answers = new Map<string, Answer>();
    for (const piece of news.ask) {
      const mayTakeLong = piece.kind === "recording" || client.paceMs > LONGEST_HOLD_MS;
      if (mayTakeLong) {
        const written = await this.#write({ ...news, known }, answers);
        if (written === undefined) return;
        known = written;
        answers = new Map();
      }
      try {
        answers.set(nameOf(piece), await this.#request(news.row, piece));
      } catch (error) {
        // The budget is used up: what has come is written first.
        await this.#write({ ...news, known }, answers);
        throw error;
      }
    }
    await this.#write({ ...news, known }, answers);
  }

  async #request(row: MeetingRow, piece: Piece): Promise<Answer> {
    const { client, signal } = this.#run;
    const { kind } = piece;
    const pausedMs = client.pausedMs(kind);
    if (pausedMs > 0) return { gap: { ...LIMITED, what: nameOf(piece) }, notBeforeMs: Date.now() + pausedMs };
    try {
      const stops = kind === "recording" ? client.downloads : signal;
      const fetched = await client.ask(kind, () => fetchPiece(client.client, row.meeting.id, piece, stops));
      if (fetched.recording !== undefined) await this.#saveRecording(row, fetched.recording);
      return fetched;
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof BudgetUsedUpError || isLockLost(error)) throw error;
      if (error instanceof WrongFolderError) throw error.cause;
      if (client.downloads.aborted) throw new BudgetUsedUpError();
      const gap = gapOf(piece, error);
      return isRateLimited(error) ? { gap, notBeforeMs: Date.now() + client.pausedMs(kind) } : { gap };
    }
  }

  async #saveRecording({ received }: MeetingRow, download: RecordingDownload): Promise<void> {
    const { plan, signal } = this.#run;
    try {
      await abortable((async () => plan.into.saveRecording?.(received as Meeting, download))(), signal);
    } catch (cause) {
      // The stream is locked if the store has begun to read it.
      download.stream.cancel(cause).catch(() => {});
      throw cause instanceof InvalidArgumentError ? new WrongFolderError("", { cause }) : cause;
    }
  }

  /** Resolves to what is remembered now. `undefined`: the meeting is left for this time. */
  async #write(news: News, answers: Answers): Promise<Known | undefined> {
    const { report } = this.#run;
    const { id } = news.row.meeting;
    const finding = this.#settle(news, answers);
    if (finding === undefined) {
      if (news.known.memory !== undefined) report.setMissing(id, missingOf(id, news.known.memory));
      return news.known;
    }
    const result = await this.#run.store.write(finding);
    if (result === "written") {
      this.writes += 1;
      return parseMemory(finding.item.memory);
    }
    if (result === "conflict") this.#onConflict(id);
    else await this.#writeLess(news, answers, finding, result.refusal);
    return undefined;
  }

  /** The store refuses it: without its documents, and then its memory alone, which says what is missing. */
  async #writeLess(news: News, answers: Answers, { item }: Finding, refusal: unknown): Promise<void> {
    const rejected = (name: string): [string, Answer] => [name, { gap: rejectedByStore(name, refusal) }];
    if (item.documents.length > 0) {
      const names = [...answers.keys()].filter((name) => answers.get(name)?.document !== undefined);
      const rest = this.#settle(news, new Map([...answers, ...names.map(rejected)]));
      const result = rest && (await this.#run.store.write(rest));
      if (result === "conflict") return this.#onConflict(news.row.meeting.id);
      if (result === "written") this.writes += 1;
      if (result === "written") return;
    }
    const nothing = new Map(["meeting", ...news.ask.map(nameOf), ...answers.keys()].map(rejected));
    await this.writeMemory(news.row.meeting.id, this.#settle(news, nothing));
  }

  #settle({ row, known, look }: News, answers: Answers): Finding | undefined {
    return settle(row, known, look, answers, this.#run.terms, Date.now());
  }

  /** Another run has written the meeting in between. */
  #onConflict(id: string): void {
    const count = (this.#conflicts.get(id) ?? 0) + 1;
    this.#conflicts.set(id, count);
    // An id that cannot be sent is read again by the next poll or pass that shows its row.
    if (count <= MAX_CONFLICTS && idProblem("meetingId", id) === undefined) this.again.add(id);
    else this.#run.report.setMissing(id, [missingPiece({ id }, OVERWRITTEN)]);
  }

  /** The store does not even take the memory. An id that cannot be sent may be one that cannot be stored. */
  #onNothingTaken(id: string, refusal: unknown): void {
    if (idProblem("meetingId", id) === undefined) throw refusal;
    this.#run.report.setMissing(id, [missingPiece({ id }, rejectedByStore("meeting", refusal))]);
  }
}

const LIMITED = {
  reason: "failed",
  status: 429,
  retryable: true,
  message: "the service has asked for a pause",
} as const satisfies Omit<Gap, "what">;

const UNANSWERED: Gap = {
  what: "meeting",
  reason: "failed",
  retryable: true,
  message: "the service refuses its id, or answers with other meetings",
};

const OVERWRITTEN: Gap = {
  what: "meeting",
  reason: "failed",
  retryable: true,
  message: "other runs write this meeting again and again",
};

/** The store refuses its folder as a whole. */
class WrongFolderError extends Error {}
