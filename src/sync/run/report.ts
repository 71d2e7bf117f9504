/** What a run reports: its counts, its missing pieces, and the calls of `onChange` and `onProgress`. */
import { abortable } from "../../async/abort.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Finding } from "../meeting/finding.js";
import type { Memory } from "../meeting/memory.js";
import { type MissingPiece, missingPiece } from "../meeting/pieces.js";
import type { SyncPhase, SyncPlan, SyncProgress, SyncResult } from "../sync-options.js";

const MAX_REPORTED = 1_000;

/** Rows of the list without an id. */
class UnreadableRows {
  count = 0;
  readonly first: MissingPiece[] = [];

  add(rows: readonly MissingPiece[]): void {
    this.count += rows.length;
    this.first.push(...rows.slice(0, MAX_REPORTED - this.first.length));
  }
}

export class RunReport {
  meetings = 0;
  changed = 0;
  removed = 0;
  notRemoved: string | undefined;
  /** By the id of the meeting: what is found later of a meeting replaces what was found before. */
  readonly #missing = new Map<string, readonly MissingPiece[]>();
  /** Of the latest poll, and of the latest pass, which shows those of the polls as well. */
  readonly #unreadable = { poll: new UnreadableRows(), pass: new UnreadableRows() };
  #missingCount = 0;
  #counted = new Set<string>();
  readonly #plan: SyncPlan;
  readonly #requests: () => number;
  readonly #endRun: (error: unknown) => void;

  constructor(plan: SyncPlan, requests: () => number, endRun: (error: unknown) => void) {
    this.#plan = plan;
    this.#requests = requests;
    this.#endRun = endRun;
  }

  /** A meeting was read. It counts once. */
  count(id: string): void {
    if (this.#counted.has(id)) return;
    this.#counted.add(id);
    this.meetings += 1;
  }

  /** A run that follows has no end: there, a meeting counts once from the end of one pass to the end of the next. */
  passEnded(): void {
    if (this.#plan.follow) this.#counted = new Set();
  }

  readingBegins(lane: "poll" | "pass"): void {
    this.#unreadable[lane] = new UnreadableRows();
  }

  addUnreadable(lane: "poll" | "pass", rows: readonly MissingPiece[]): void {
    this.#unreadable[lane].add(rows);
  }

  setMissing(id: string, missing: readonly MissingPiece[]): void {
    this.#missingCount += missing.length - (this.#missing.get(id)?.length ?? 0);
    if (missing.length > 0) this.#missing.set(id, missing);
    else this.#missing.delete(id);
  }

  /** Nothing is to be written of the meeting: what it lacks is as it is remembered. */
  stays(meeting: { id: string; title?: Meeting["title"] }, memory: Pick<Memory, "missing"> | undefined): void {
    const missing = memory?.missing ?? [];
    this.setMissing(
      meeting.id,
      missing.map((one) => missingPiece(meeting, one)),
    );
  }

  async written({ item, change, missing }: Finding): Promise<void> {
    this.setMissing(item.id, missing);
    if (change === undefined) return;
    this.changed += 1;
    const { onChange, signal } = this.#plan;
    // It may wait for something that never comes.
    await abortable((async () => onChange?.(change))(), signal);
  }

  get #unreadableRows(): UnreadableRows {
    const { poll, pass } = this.#unreadable;
    return pass.count > 0 ? pass : poll;
  }

  get #missingInAll(): number {
    return this.#missingCount + this.#unreadableRows.count;
  }

  /** If they are too many, those that are requested again come first. */
  get #reported(): MissingPiece[] {
    const missing = [...this.#unreadableRows.first, ...[...this.#missing.values()].flat()];
    if (missing.length > MAX_REPORTED) missing.sort((left, right) => Number(right.retryable) - Number(left.retryable));
    return missing.slice(0, MAX_REPORTED);
  }

  progress(phase: SyncPhase, wait: Pick<SyncProgress, "waitMs" | "waitsFor"> = {}): void {
    const { meetings, changed } = this;
    const counts = { meetings, changed, missing: this.#missingInAll, requests: this.#requests() };
    const told: unknown = this.#plan.onProgress?.({ phase, ...counts, ...wait });
    // The run does not wait for it, but it may be asynchronous, and reject.
    Promise.resolve(told).catch(this.#endRun);
  }

  waiting(waitsFor: NonNullable<SyncProgress["waitsFor"]>, waitMs: number): void {
    this.progress("waiting", { waitMs, waitsFor });
  }

  result(ended: SyncResult["ended"], nextAt: Date): SyncResult {
    const { meetings, changed, removed, notRemoved } = this;
    return {
      ended,
      nextAt,
      meetings,
      changed,
      removed,
      ...(notRemoved !== undefined && { notRemoved }),
      missing: this.#reported,
      missingCount: this.#missingInAll,
      requests: this.#requests(),
    };
  }
}
