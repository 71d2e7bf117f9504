/** Reads the history: every meeting from the first, page by page, from where the checkpoint says. */
import { isRefusal } from "../../errors/is-refusal.js";
import { type ItemPlace, LIST_START, type MeetingPage, placeAfterRow } from "../../sync/meeting-list.js";
import type { MeetingRow } from "../../sync/received.js";
import type { FollowPlan } from "./follow-plan.js";
import { ListReading } from "./list-reading.js";
import type { Items, Rows } from "./rows.js";

export class HistoryReading {
  readonly #plan: FollowPlan;
  readonly #rows: Rows;
  #list: ListReading | undefined;
  #page: MeetingPage | undefined;
  /** The rows of the page that have not been looked at. */
  #rest: readonly MeetingRow[] = [];
  /** How many pages were read since the reading began, or began again. */
  #pages = 0;
  /** `#pages` when the service last refused a cursor. */
  #refusedAfter = -1;

  constructor(plan: FollowPlan, rows: Rows) {
    this.#plan = plan;
    this.#rows = rows;
  }

  /** Looks at the rest of the page, or at the next one. At the end of the list, the state has no history any more. */
  async *step(history: ItemPlace): Items {
    const { state } = this.#plan;
    this.#list ??= new ListReading(this.#plan, history);
    if (this.#rest.length === 0) this.#page = await this.#nextPage(this.#list);
    if (this.#page === undefined) return;
    const page = this.#page;
    yield* this.#rows.each(this.#rest, { history: true }, (row) => {
      this.#rest = this.#rest.slice(1);
      state.history = placeAfterRow(page, row, state.history?.seen ?? []);
    });
    if (page.rows.length === 0) state.history = { ...page.next, seen: state.history?.seen ?? [] };
  }

  /** `undefined` at the end of the list, or if the history has to be read again. */
  async #nextPage(list: ListReading): Promise<MeetingPage | undefined> {
    const { state, onInvalid } = this.#plan;
    try {
      const page = await list.next();
      if (page === undefined) {
        state.history = undefined;
        state.polledMs = state.beganMs;
        return undefined;
      }
      this.#pages += 1;
      for (const row of page.unreadable) await onInvalid(row);
      this.#rest = page.rows;
      return page;
    } catch (error) {
      // The service does not accept the cursor any more. If the reading does not get further when it begins again, it
      // never will.
      if (!isRefusal(error) || !list.place.cursor || this.#pages <= this.#refusedAfter) throw error;
      this.#refusedAfter = this.#pages;
      this.#pages = 0;
      state.history = { ...LIST_START, seen: [] };
      this.#list = undefined;
      return undefined;
    }
  }
}
