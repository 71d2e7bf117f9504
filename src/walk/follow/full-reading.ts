/** The full readings: the whole list once a day, page by page between other work, and what it no longer has. */
import { DAY_MS } from "../../async/timers.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import { LIST_START, reportGone } from "../../sync/meeting-list.js";
import type { MeetingRow } from "../../sync/received.js";
import type { FollowPlan } from "./follow-plan.js";
import { ListReading } from "./list-reading.js";
import type { Items, Rows } from "./rows.js";

interface Reading {
  readonly list: ListReading;
  readonly startedMs: number;
  /** The ids of the database. */
  readonly known: ReadonlySet<string>;
  /** The rows of the page that have not been looked at. */
  rest: readonly MeetingRow[];
}

export class FullReadings {
  readonly #plan: FollowPlan;
  readonly #rows: Rows;
  #current: Reading | undefined;

  constructor(plan: FollowPlan, rows: Rows) {
    this.#plan = plan;
    this.#rows = rows;
  }

  /** Whether one has begun, or a day has passed since the last one began. */
  isDue(now: number): boolean {
    const { state, readsAll } = this.#plan;
    return this.#current !== undefined || (readsAll && Math.abs(now - state.readMs) >= DAY_MS);
  }

  /** A page of the list, or what a failure has left of it. */
  async *step(): Items {
    this.#current ??= await this.#begin();
    const reading = this.#current;
    if (reading.rest.length === 0) {
      const page = await reading.list.next();
      if (page === undefined) {
        await this.#reportGone(reading);
        this.#plan.state.readMs = reading.startedMs;
        this.#current = undefined;
        return;
      }
      reading.rest = page.rows.filter((row) => this.#isNew(row, reading));
    }
    yield* this.#rows.each(reading.rest, {}, () => {
      reading.rest = reading.rest.slice(1);
    });
  }

  async #begin(): Promise<Reading> {
    const list = new ListReading(this.#plan, { ...LIST_START, seen: [] }, PAGE_SIZE_MAX);
    return { list, startedMs: Date.now(), known: await this.#plan.knownIds(), rest: [] };
  }

  #isNew({ meeting: { id } }: MeetingRow, { known }: Reading): boolean {
    return !this.#plan.state.entries.has(id) && (this.#plan.hasWants || !known.has(id));
  }

  async #reportGone({ list, known }: Reading): Promise<void> {
    const { client, signal, state, onGone } = this.#plan;
    const forget = (id: string) => {
      state.entries.delete(id);
      return onGone(id);
    };
    await reportGone(client, known, list.seen, forget, signal);
  }
}
