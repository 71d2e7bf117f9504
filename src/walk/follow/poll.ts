/** The polls: they read the newest part of the list, and ask again for what is due. */
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import { LIST_START, meetingPages } from "../../sync/meeting-list.js";
import { Period } from "../../sync/read-options.js";
import type { FollowPlan } from "./follow-plan.js";
import type { Items, Rows } from "./rows.js";
import { memoryStart, windowStart } from "./when-to-ask.js";

export class Polls {
  readonly #plan: FollowPlan;
  readonly #rows: Rows;
  #nextMs = 0;

  constructor(plan: FollowPlan, rows: Rows) {
    this.#plan = plan;
    this.#rows = rows;
  }

  /** When the next poll begins. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** If the clock was set back, the next poll may seem to be far away. */
  isDue(now: number): boolean {
    return now >= this.#nextMs || this.#nextMs > now + 2 * this.#plan.pollMs;
  }

  /** The next poll does not wait. */
  hurry(): void {
    this.#nextMs = 0;
  }

  async *step(): Items {
    const { client, settleMs, pollMs, signal, state } = this.#plan;
    const startedMs = Date.now();
    if (state.polledMs > startedMs) this.#makeAllDue(startedMs);
    const listed = new Set<string>();
    const pages = meetingPages(client, LIST_START, this.#period(startedMs), listed, signal, PAGE_SIZE_MAX);
    for await (const { rows } of pages) yield* this.#rows.each(rows, {});
    yield* this.#rows.withIds(this.#dueIds(listed), {});
    state.polledMs = startedMs;
    this.#nextMs = startedMs + pollMs * (0.8 + 0.4 * Math.random());
    this.#forget(memoryStart(startedMs, settleMs), listed);
  }

  #period(now: number): Period {
    const { since, settleMs, state } = this.#plan;
    const fromMs = windowStart(Math.min(now, state.polledMs), settleMs);
    const sinceMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "");
    return new Period({ since: sinceMs >= fromMs ? since : new Date(fromMs) });
  }

  /** The clock was set back: what was due at a later time may never be due. */
  #makeAllDue(now: number): void {
    const { entries } = this.#plan.state;
    for (const [id, entry] of entries) {
      if (entry.open !== undefined && Number.isFinite(entry.open.dueMs)) {
        entries.set(id, { ...entry, open: { ...entry.open, dueMs: now } });
      }
    }
  }

  /** The meetings from which something is due, and that the list of this poll did not have. */
  #dueIds(listed: ReadonlySet<string>): string[] {
    const now = Date.now();
    const due = [...this.#plan.state.entries].filter(([id, { open }]) => open && open.dueMs <= now && !listed.has(id));
    return due.map(([id]) => id);
  }

  /** Removes the meetings that the polls do not show any more, and from which nothing is expected. */
  #forget(fromMs: number, listed: ReadonlySet<string>): void {
    const { entries } = this.#plan.state;
    for (const [id, { startMs, open }] of entries) {
      const isKept = open !== undefined && Number.isFinite(open.dueMs);
      if (startMs < fromMs && !isKept && !listed.has(id)) entries.delete(id);
    }
  }
}
