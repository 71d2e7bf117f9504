/** Examines meetings: reads what is remembered of them, requests what is news, and writes what was found. */
import { throwIfAborted } from "../../async/abort.js";
import { UnauthorizedError } from "../../errors/api-error.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import { idProblem } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { type FoundMeetings, IDS_AT_ONCE, requestByIds } from "../list/by-ids.js";
import type { MeetingRow } from "../list/received.js";
import { BudgetUsedUpError } from "../run/requests.js";
import type { Run } from "../run/run.js";
import type { Lane } from "../run/turns.js";
import { type FetchedPiece, fetchPiece } from "./fetch-piece.js";
import type { Finding } from "./finding.js";
import { isListed, type KnownMemory, type Memory, parseMemory, rememberedTitle } from "./memory.js";
import { type News, newsOf } from "./news.js";
import { type Gap, gapOf, nameOf, type Piece } from "./pieces.js";
import { concludeAbsent, concludeNamed, concludeOutside } from "./without-row.js";
import { writeMeeting } from "./write-meeting.js";

export class Examiner {
  /** The meetings of which nothing could be decided. They are not asked for by their ids before the next full pass. */
  readonly unanswered = new Set<string>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /**
   * Examines rows of the list. Resolves to those that were not examined, because the budget is used up or something more
   * urgent is to be done. `onStored` is called for each meeting that the store has, with what is remembered of it.
   */
  rows(
    rows: readonly MeetingRow[],
    lane: Lane,
    onStored: (memory: Memory) => void = () => {},
  ): Promise<readonly MeetingRow[]> {
    const ofSome = (some: readonly MeetingRow[]) => this.#someRows(some, lane, onStored);
    return inParts(rows, () => IDS_AT_ONCE, ofSome);
  }

  async #someRows(
    rows: readonly MeetingRow[],
    lane: Lane,
    onStored: (memory: Memory) => void,
  ): Promise<readonly MeetingRow[]> {
    const memories = await this.#memories(rows.map(({ meeting }) => meeting.id));
    const fresh: News[] = [];
    const hints: News[] = [];
    for (const row of rows) {
      const { id } = row.meeting;
      const known = memories.get(id) as KnownMemory;
      if (known.memory !== undefined && isListed(known.memory)) onStored(known.memory);
      const isDecidable = known.memory === undefined || idProblem("meetingId", id) !== undefined;
      for (const news of this.#newsOfRow(row, known, lane)) (isDecidable ? fresh : hints).push(news);
    }
    let left: readonly News[] = [...(await this.#each(fresh, lane))];
    if (left.length > 0) left = [...left, ...hints];
    else left = await inParts(hints, this.#idsAtOnce, (some) => this.#someHints(some, lane));
    return left.map(({ row }) => row);
  }

  #newsOfRow(row: MeetingRow, known: KnownMemory, lane: Lane): News[] {
    const { report, writer } = this.#run;
    const { id } = row.meeting;
    // What is missing of it was reported when the store refused it.
    if (writer.refused.has(id)) return [];
    const news = this.#newsOf(row, known, false);
    if (news.length === 0) report.stays(row.meeting, known.memory);
    if (news.length > 0 || lane === "pass") report.count(id);
    return news;
  }

  /** The row of a list may be older than what is stored: the meetings are asked for by their ids. */
  async #someHints(hints: readonly News[], lane: Lane): Promise<readonly News[]> {
    if (!(await this.#run.turns.next(lane))) return hints;
    const { rows, isComplete } = await this.#requestByIds(hints.map(({ row }) => row.meeting.id));
    const current = hints.flatMap(({ row, known }) => {
      const found = rows.get(row.meeting.id) ?? (isComplete ? undefined : row);
      return found === undefined ? [] : this.#newsOfRow(found, known, lane);
    });
    return this.#each(current, lane);
  }

  /** Asks for meetings by their ids. Resolves to the ids that were not examined. */
  ids(ids: readonly string[], lane: "event" | "due"): Promise<readonly string[]> {
    return inParts(ids, this.#idsAtOnce, (some) => this.#someIds(some, lane));
  }

  /** The answer may have a page for each meeting, and then its pieces are requested: no more than the budget allows. */
  #idsAtOnce = (): number => Math.max(1, Math.min(IDS_AT_ONCE, Math.floor(this.#run.requests.left / 2)));

  async #someIds(ids: readonly string[], lane: "event" | "due"): Promise<readonly string[]> {
    const { turns, report, plan } = this.#run;
    const event = lane === "event";
    const memories = await this.#memories(ids);
    if (!(await turns.next(lane))) return ids;
    const found = await this.#requestByIds(ids);
    const news: News[] = [];
    for (const id of ids) {
      const known = memories.get(id) as KnownMemory;
      const row = found.rows.get(id);
      if (row !== undefined && (known.memory?.isNamed || this.#isInPeriod(row)))
        news.push(...this.#newsOf(row, known, event));
      else if (row !== undefined) await this.#write(id, known, concludeOutside(id, known));
      else if (known.memory !== undefined && !found.isComplete) this.#onUnanswered(id, known.memory, event);
      else await this.#write(id, known, concludeAbsent(id, known, event, Date.now(), plan.patience));
    }
    for (const { row } of news) report.count(row.meeting.id);
    const left = await this.#each(news, lane);
    return left.map(({ row }) => row.meeting.id);
  }

  #onUnanswered(id: string, memory: Memory, event: boolean): void {
    this.unanswered.add(id);
    const missing = [UNANSWERED, ...memory.missing.filter(({ what }) => what !== UNANSWERED.what)];
    if (event) this.#run.report.stays({ id, title: rememberedTitle(memory) }, { missing });
  }

  /** The budget is used up: the next run reads these meetings. */
  async leave(ids: readonly string[]): Promise<void> {
    await inParts(
      ids,
      () => IDS_AT_ONCE,
      async (some) => {
        const memories = [...(await this.#memories(some))];
        await Promise.all(memories.map(([id, known]) => this.#write(id, known, concludeNamed(id, known, Date.now()))));
        return [];
      },
    );
  }

  #isInPeriod = ({ meeting }: MeetingRow): boolean => {
    const { only, period } = this.#run.plan;
    return only !== undefined || period.includes(meeting.start_time);
  };

  /** Writes what was found of a meeting without a row. */
  async #write(id: string, known: KnownMemory, finding: Finding | "forget" | undefined): Promise<void> {
    const { writer } = this.#run;
    if (finding === "forget") await writer.remove([{ id, before: known.text as string }]);
    else if (finding !== undefined) await writer.writeWhole(finding);
  }

  async #memories(ids: readonly string[]): Promise<Map<string, KnownMemory>> {
    const texts = await this.#run.plan.into.readMemory(ids);
    return new Map(ids.map((id) => [id, parseMemory(texts.get(id))]));
  }

  async #requestByIds(ids: readonly string[]): Promise<FoundMeetings> {
    const { requests, outages, signal } = this.#run;
    return requestByIds(requests.client, ids, outages.ofList, signal);
  }

  #newsOf(row: MeetingRow, known: KnownMemory, event: boolean): News[] {
    const news = newsOf(row, known, { wanted: this.#run.plan.wanted, event, nowMs: Date.now() });
    return news === undefined ? [] : [news];
  }

  /** Several at a time. Resolves to those that were not examined. */
  async #each(news: readonly News[], lane: Lane): Promise<News[]> {
    const queue = news.values();
    const left: News[] = [];
    let isStopped = false;
    const stop = () => {
      isStopped = true;
    };
    const work = async () => {
      for (const one of queue) {
        const isDone = !isStopped && (await this.#one(one, lane));
        if (isDone) continue;
        left.push(one);
        stop();
      }
    };
    const count = Math.min(this.#run.plan.concurrency, news.length);
    const workers = Array.from({ length: count }, () => work().finally(stop));
    // All have ended before the first failure is thrown: a write is never left alone.
    const ends = await Promise.allSettled(workers);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return left;
  }

  /** `false`: not even its first piece was requested. */
  async #one(news: News, lane: Lane): Promise<boolean> {
    const { turns } = this.#run;
    const answers = new Map<string, FetchedPiece>();
    for (const piece of news.ask) {
      if (!(await turns.next(lane))) break;
      const answer = await this.#request(news.row, piece);
      if (answer === undefined) break;
      answers.set(nameOf(piece), answer);
    }
    if (answers.size === 0 && news.ask.length > 0) return false;
    await writeMeeting(this.#run, news, answers);
    return true;
  }

  /** `undefined`: the budget is used up. */
  async #request(row: MeetingRow, piece: Piece): Promise<FetchedPiece | undefined> {
    const { requests, outages, signal } = this.#run;
    try {
      const fetched = await outages.ofPiece(() => fetchPiece(requests.client, row.meeting.id, piece, signal));
      if (fetched.recording !== undefined) await this.#saveRecording(row, fetched.recording);
      return { ...fetched, missing: fetched.missing && asExpected(fetched.missing) };
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof BudgetUsedUpError) return undefined;
      if (error instanceof StoreRefusedError) throw error.cause;
      if (error instanceof UnauthorizedError || isRateLimited(error)) throw error;
      return { missing: asExpected(gapOf(piece, error)) };
    }
  }

  async #saveRecording({ received }: MeetingRow, download: RecordingDownload): Promise<void> {
    try {
      await this.#run.plan.into.saveRecording?.(received as Meeting, download);
    } catch (cause) {
      // The stream is locked if the store has begun to read it.
      await download.stream.cancel(cause).catch(() => {});
      throw cause instanceof InvalidArgumentError ? new StoreRefusedError("", { cause }) : cause;
    }
  }
}

/** Works on parts of the items until one is not completed. Resolves to the items that are left. */
async function inParts<T>(
  items: readonly T[],
  size: () => number,
  work: (some: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  for (let start = 0, end = 0; start < items.length; start = end) {
    end = start + size();
    const left = await work(items.slice(start, end));
    if (left.length > 0) return [...left, ...items.slice(end)];
  }
  return [];
}

const UNANSWERED: Gap = {
  what: "meeting",
  reason: "failed",
  retryable: true,
  message: "the service refuses its id, or answers with other meetings",
};

/** The store refuses its folder as a whole. */
class StoreRefusedError extends Error {}

/** Whatever fails is requested again, but what is forbidden or is not as specified. */
const asExpected = (gap: Gap): Gap => {
  if (gap.reason === "not_found") return { ...gap, reason: "not_ready", retryable: true };
  return gap.reason === "failed" ? { ...gap, retryable: true } : gap;
};
