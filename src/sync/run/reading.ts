/** One reading of the list: its pages, and the rows that are not examined yet. */

import { ListPass } from "../list/list-pass.js";
import type { Period } from "../list/period.js";
import type { MeetingRow } from "../list/received.js";
import type { Examiner } from "../meeting/examiner.js";
import type { Memory } from "../meeting/memory.js";
import type { SyncPhase } from "../sync-options.js";
import type { Run } from "./run.js";
import type { ReadingPlace } from "./state.js";

/** `blocked`: the budget is used up, or something more urgent is to be done first. `waiting`: there is more to do later. */
export type Step = "active" | "blocked" | "waiting" | "idle";

interface ReadingOptions {
  readonly lane: "poll" | "pass";
  readonly phase: SyncPhase;
  readonly period: Period;
  readonly place: ReadingPlace;
  readonly onPage: (ids: readonly string[]) => void;
  /** Called for each meeting that the store has. */
  readonly onStored?: ((memory: Memory) => void) | undefined;
}

export class ListReading {
  readonly lane: "poll" | "pass";
  /** When a page that could not be read is requested again, by the clock. */
  notBefore = Number.NEGATIVE_INFINITY;
  readonly #list: ListPass;
  /** `undefined`: the next page is to be requested. */
  #rest: readonly MeetingRow[] | undefined;
  readonly #run: Run;
  readonly #examiner: Examiner;
  readonly #options: ReadingOptions;

  constructor(run: Run, examiner: Examiner, options: ReadingOptions) {
    this.#run = run;
    this.#examiner = examiner;
    this.#options = options;
    this.lane = options.lane;
    run.report.readingBegins(this.lane);
    const { period, place } = options;
    this.#list = new ListPass({ client: run.requests.client, period, from: place, signal: run.signal });
  }

  get place(): ReadingPlace {
    return { ...this.#options.place, ...this.#list.position };
  }

  /** The ids that it has shown. */
  get seen(): ReadonlySet<string> {
    return this.#list.seen;
  }

  get isAtEnd(): boolean {
    return this.#list.isAtEnd && this.#rest === undefined;
  }

  /** Whether its cursor is refused again and again. */
  get isRefused(): boolean {
    return this.#list.isRefused;
  }

  get isWaiting(): boolean {
    return this.#run.clock.now() < this.notBefore;
  }

  /** Reads one page, or examines what is left of it. */
  async step(): Promise<Step> {
    const { turns, report } = this.#run;
    const { lane, phase, onStored } = this.#options;
    if (this.isWaiting) return "waiting";
    if (this.#rest === undefined && !this.#list.isAtEnd) {
      if (!(await turns.next(lane))) return "blocked";
      if (!(await this.#request())) return "waiting";
    }
    report.progress(phase);
    const rest = await this.#examiner.rows(this.#rest ?? [], lane, onStored);
    this.#rest = rest.length > 0 ? rest : undefined;
    return rest.length > 0 ? "blocked" : "active";
  }

  async #request(): Promise<boolean> {
    const { plan, clock, outages, report } = this.#run;
    try {
      const page = await this.#list.next(outages.ofList);
      report.addUnreadable(this.lane, page.unreadable);
      this.#options.onPage(page.ids);
      this.#rest = page.rows;
      return true;
    } catch (error) {
      if (!this.#list.mayTryAgain(error)) throw error;
      this.notBefore = clock.now() + plan.patience.pollMs;
      return false;
    }
  }
}
