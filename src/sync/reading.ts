/** One reading of the list: its pages, and the rows that are not examined yet. */
import type { Clock } from "../async/clock.js";
import type { Examiner } from "./examiner.js";
import type { ListPass } from "./list-pass.js";
import type { Outages } from "./outages.js";
import type { MeetingRow } from "./received.js";
import type { RunReport } from "./report.js";
import type { SyncPhase } from "./sync-options.js";
import type { Lane, Turns } from "./turns.js";

/** `blocked`: the budget is used up, or something more urgent is to be done first. `waiting`: there is more to do later. */
export type Reached = "page" | "end" | "blocked" | "waiting";

interface ReadingOptions {
  readonly lane: Lane;
  readonly phase: SyncPhase;
  readonly list: ListPass;
  /** In milliseconds since 1970. */
  readonly beganMs: number;
  /** The pause before a page that could not be read is requested again. */
  readonly pauseMs: number;
  readonly sawStored?: boolean;
  /** A meeting that was first seen later does not count as one of the store: its account may be another one. */
  readonly storedUntilMs?: number | undefined;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly outages: Outages;
  readonly examiner: Examiner;
  readonly report: RunReport;
  readonly onPage: (ids: readonly string[]) => void;
}

export class ListReading {
  readonly list: ListPass;
  readonly beganMs: number;
  /** Whether it has shown a meeting of the store. */
  sawStored: boolean;
  /** When a page that could not be read is requested again, by the clock. */
  notBefore = Number.NEGATIVE_INFINITY;
  /** `undefined`: the next page is to be requested. */
  #rest: readonly MeetingRow[] | undefined;
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.list = options.list;
    this.beganMs = options.beganMs;
    this.sawStored = options.sawStored ?? false;
  }

  get isWaiting(): boolean {
    return this.#options.clock.now() < this.notBefore;
  }

  /** Reads one page, or examines what is left of it. */
  async step(): Promise<Reached> {
    const { lane, phase, list, turns, examiner, report, storedUntilMs } = this.#options;
    if (this.isWaiting) return "waiting";
    if (this.#rest === undefined) {
      if (list.isAtEnd) return "end";
      if (!(await turns.next(lane))) return "blocked";
      if (!(await this.#request())) return "waiting";
    }
    report.progress(phase);
    this.#rest = await examiner.rows(this.#rest ?? [], lane, ({ firstSeenMs }) => {
      if (!(firstSeenMs > (storedUntilMs ?? Number.POSITIVE_INFINITY))) this.sawStored = true;
    });
    if (this.#rest.length > 0) return "blocked";
    this.#rest = undefined;
    return list.isAtEnd ? "end" : "page";
  }

  async #request(): Promise<boolean> {
    const { list, clock, pauseMs, outages, report, onPage } = this.#options;
    try {
      const page = await list.next(outages.ofList);
      for (const row of page.unreadable) report.addUnreadable(row);
      onPage(page.ids);
      this.#rest = page.rows;
      return true;
    } catch (error) {
      if (!list.mayTryAgain(error)) throw error;
      this.notBefore = clock.now() + pauseMs;
      return false;
    }
  }
}
