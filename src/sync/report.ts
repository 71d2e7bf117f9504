import { abortable } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import type { Pauses } from "./pauses.js";
import type { MissingPiece } from "./pieces.js";
import type { Finding } from "./rules/settle.js";
import type { SyncPlan, SyncProgress, SyncResult } from "./sync-options.js";

/** What all parts of a run share. */
export interface RunContext {
  readonly plan: SyncPlan;
  readonly clock: Clock;
  /** Of kinds of requests, of readings of the list, and of meetings by their ids. */
  readonly pauses: Pauses;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

const MAX_REPORTED = 1_000;

export class RunReport {
  meetings = 0;
  changed = 0;
  removed = 0;
  notRemoved: string | undefined;
  /** How many requests were sent: every attempt, those to the storage of a recording included. */
  requests = 0;
  readonly #plan: SyncPlan;
  readonly #endRun: (error: unknown) => void;
  /** By the id of the meeting: what is found later of a meeting replaces what was found before. */
  readonly #missing = new Map<string, readonly MissingPiece[]>();
  #missingCount = 0;
  #counted = new Set<string>();

  constructor(plan: SyncPlan, endRun: (error: unknown) => void) {
    this.#plan = plan;
    this.#endRun = endRun;
  }

  /** A meeting was read. It counts once. */
  count(id: string): void {
    if (!this.#counted.has(id)) this.meetings += 1;
    this.#counted.add(id);
  }

  /** A run that follows has no end: there, a meeting counts once from the end of one pass to the end of the next. */
  passEnded(): void {
    if (this.#plan.follow) this.#counted = new Set();
  }

  /** The latest poll or pass has shown these rows, which have no id. A pass shows the rows of the polls as well. */
  addUnreadable(lane: "poll" | "pass", rows: readonly MissingPiece[]): void {
    if (rows.length === 0 || (lane === "poll" && this.#missing.has("pass"))) return;
    if (lane === "pass") this.setMissing("poll", []);
    this.setMissing(lane, [...(this.#missing.get(lane) ?? []), ...rows].slice(0, MAX_REPORTED));
  }

  setMissing(id: string, missing: readonly MissingPiece[]): void {
    this.#missingCount += missing.length - (this.#missing.get(id)?.length ?? 0);
    if (missing.length > 0) this.#missing.set(id, missing);
    else this.#missing.delete(id);
  }

  async written({ item, change }: Finding): Promise<void> {
    this.setMissing(item.id, item.missing);
    if (change === undefined) return;
    this.changed += 1;
    const { onChange, signal } = this.#plan;
    // It may wait for something that never comes.
    await abortable((async () => onChange?.(change))(), signal);
  }

  progress(phase: SyncProgress["phase"], wait: Pick<SyncProgress, "waitMs" | "waitsFor"> = {}): void {
    const { meetings, changed, requests } = this;
    const counts = { meetings, changed, missing: this.#missingCount, requests };
    const returned: unknown = this.#plan.onProgress?.({ phase, ...counts, ...wait });
    // The run does not wait for it, but it may be asynchronous, and reject.
    Promise.resolve(returned).catch(this.#endRun);
  }

  waiting(waitsFor: NonNullable<SyncProgress["waitsFor"]>, waitMs: number): void {
    this.progress("waiting", { waitMs, waitsFor });
  }

  result(ended: SyncResult["ended"], nextAt: Date): SyncResult {
    const { meetings, changed, removed, notRemoved, requests } = this;
    const all = [...this.#missing.values()].flat();
    // If they are too many, those that are requested again come first.
    if (all.length > MAX_REPORTED) all.sort((left, right) => Number(right.retryable) - Number(left.retryable));
    const missing = { missing: all.slice(0, MAX_REPORTED), missingCount: this.#missingCount };
    const kept = notRemoved !== undefined && { notRemoved };
    return { ended, nextAt, meetings, changed, removed, ...kept, ...missing, requests };
  }
}
