/** The readings of a run: the polls, the history, the daily pass, and the search for what is gone after it. */
import { DAY_MS } from "../../async/timers.js";
import { requestByIds } from "../list/by-ids.js";
import { LIST_START, ListPass } from "../list/list-pass.js";
import { Period } from "../list/period.js";
import type { Examiner } from "../meeting/examiner.js";
import { longestPauseMs } from "../meeting/patience.js";
import type { RememberedMeeting } from "../store/remembered-meetings.js";
import type { SyncPlan } from "../sync-options.js";
import { markGone, nextCandidates, removeGone } from "./gone.js";
import { ListReading, type Step } from "./reading.js";
import type { Run } from "./run.js";
import type { SavedState, SyncState } from "./state.js";

/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const POLL_EXTRA_MS = 2 * DAY_MS;
/** After so many requests in a row that prove nothing, the service cannot be asked by ids. */
const MAX_UNPROVEN = 3;

const EMPTY_LIST = "the list is empty, it has shown none of the meetings of the store: they are kept";

type Search = NonNullable<SyncState["search"]>;

export class Passes {
  readonly #run: Run;
  readonly #examiner: Examiner;
  readonly #state: SavedState;
  #poll: ListReading | undefined;
  #pass: ListReading | undefined;
  /** When the next poll begins, by the clock. */
  #pollAt: number;
  /** Ids that the list has just shown. */
  #shown: readonly string[] = [];
  /** The ids that the latest pass of this run has shown. */
  #seen: ReadonlySet<string> = new Set();
  #unproven = 0;
  #hasPruned = false;

  constructor(run: Run, examiner: Examiner, state: SavedState) {
    this.#run = run;
    this.#examiner = examiner;
    this.#state = state;
    this.#pollAt = run.clock.now();
  }

  /** How long until a poll has something to do. */
  get pollInMs(): number {
    return Math.max(0, (this.#poll?.notBefore ?? this.#pollAt) - this.#run.clock.now());
  }

  /** How long until a page is requested again that could not be read. */
  get waitsMs(): number {
    const waiting = [this.#poll, this.#pass].filter((reading) => reading?.isWaiting);
    return Math.min(...waiting.map((reading) => (reading?.notBefore ?? 0) - this.#run.clock.now()));
  }

  get isPassOpen(): boolean {
    return this.#state.current.search !== undefined || this.#pass?.isWaiting === false;
  }

  pollNow(): void {
    this.#pollAt = Math.min(this.#pollAt, this.#run.clock.now());
  }

  /** One page of a poll. `mayBegin`: whether another poll may begin. */
  async poll(mayBegin: boolean): Promise<Step> {
    const { clock, plan } = this.#run;
    if (this.#poll === undefined && (!mayBegin || clock.now() < this.#pollAt)) return "idle";
    this.#poll ??= this.#openPoll();
    const step = await this.#step(this.#poll);
    if (this.#poll.isAtEnd) {
      this.#state.change({ poll: undefined, polledMs: this.#poll.place.beganMs });
      this.#poll = undefined;
      this.#pollAt = clock.now() + plan.patience.pollMs * (0.8 + 0.4 * Math.random());
    }
    return step;
  }

  #openPoll(): ListReading {
    const { plan } = this.#run;
    const nowMs = Date.now();
    const { polledMs = nowMs, poll } = this.#state.current;
    const newFromMs = Math.min(nowMs, polledMs) - plan.patience.settleMs - POLL_EXTRA_MS;
    const place = poll ?? { ...LIST_START, beganMs: nowMs, fromMs: newFromMs };
    this.#state.change({ poll: place });
    const period = pollPeriod(plan, place.fromMs ?? newFromMs);
    return new ListReading(this.#run, this.#examiner, {
      lane: "poll",
      phase: "poll",
      period,
      place,
      onPage: this.#onPage,
    });
  }

  /** One page of the history or of a daily pass, or one request of the search that follows it. */
  async pass(): Promise<Step> {
    const { plan, report } = this.#run;
    const { search } = this.#state.current;
    if (search !== undefined) return this.#search(search);
    if (this.#pass === undefined && !isPassDue(this.#state.current, plan)) return this.#prune();
    this.#pass ??= this.#openPass();
    const step = await this.#step(this.#pass);
    if (this.#pass.isAtEnd) {
      this.#seen = this.#pass.seen;
      await this.#state.save({ pass: undefined, search: { beganMs: this.#pass.place.beganMs } });
      this.#pass = undefined;
      report.passEnded();
    }
    return step;
  }

  #openPass(): ListReading {
    const { plan, writer } = this.#run;
    const { scope, pass, passedMs } = this.#state.current;
    writer.passBegins();
    this.#examiner.unanswered.clear();
    const begun = scope === plan.scope ? pass : undefined;
    const place = begun ?? { ...LIST_START, beganMs: Date.now() };
    this.#state.change({ scope: plan.scope, pass: place, ...(begun === undefined && { sawStored: false }) });
    return new ListReading(this.#run, this.#examiner, {
      lane: "pass",
      phase: passedMs === undefined ? "history" : "pass",
      period: plan.period,
      place,
      onPage: this.#onPage,
      onStored: ({ firstSeenMs }) => {
        // A meeting that was first seen later may be one of another account.
        const { sawStored, provenMs = Number.POSITIVE_INFINITY } = this.#state.current;
        if (!sawStored && firstSeenMs <= provenMs) this.#state.change({ sawStored: true });
      },
    });
  }

  #onPage = (ids: readonly string[]): void => {
    if (ids.length > 0) this.#shown = ids;
  };

  /** If the cursor of a reading is refused again and again, the next run begins the list anew. */
  async #step(reading: ListReading): Promise<Step> {
    try {
      const step = await reading.step();
      if (step === "active" && !reading.isAtEnd) await this.#state.save({ [reading.lane]: reading.place });
      return step;
    } catch (error) {
      if (reading.isRefused) await this.#state.save({ [reading.lane]: undefined });
      throw error;
    }
  }

  async #search(search: Search): Promise<Step> {
    const { plan, turns, report } = this.#run;
    const candidates = await nextCandidates(plan, search.after, this.#seen, search.atOnce);
    if (candidates.length === 0 || this.#unproven >= MAX_UNPROVEN) return this.#endSearch(search);
    if (!(await turns.next("pass"))) return "blocked";
    if (this.#shown.length > 0) await this.#mark(candidates, search);
    else if ((await this.#showSome()) === 0) {
      // Without a meeting in the list, nothing can be proven.
      if (plan.prune !== false) report.notRemoved = EMPTY_LIST;
      return this.#endSearch(search);
    }
    return "active";
  }

  async #mark(candidates: readonly RememberedMeeting[], search: Search): Promise<void> {
    const { requests, outages, writer, signal } = this.#run;
    const request = (ids: readonly string[]) => requestByIds(requests.client, ids, outages.ofList, signal);
    // If the budget ends within the pages of an answer, the next run asks for fewer meetings.
    this.#state.change({ search: { ...search, atOnce: Math.ceil(candidates.length / 2) } });
    if (await markGone(candidates, this.#shown, request, writer)) {
      this.#unproven = 0;
      await this.#state.save({ search: { ...search, after: candidates.at(-1)?.id } });
    } else {
      this.#state.change({ search });
      this.#unproven += 1;
      this.#shown = [];
    }
  }

  async #showSome(): Promise<number> {
    const { plan, requests, outages, signal } = this.#run;
    const list = new ListPass({ client: requests.client, period: plan.period, signal });
    this.#shown = (await list.next(outages.ofList)).ids;
    return this.#shown.length;
  }

  async #endSearch({ beganMs }: Search): Promise<Step> {
    const { sawStored, provenMs } = this.#state.current;
    this.#state.change({
      search: undefined,
      passedMs: beganMs,
      isMarked: true,
      provenMs: sawStored || provenMs === undefined ? Date.now() : provenMs,
    });
    this.#seen = new Set();
    this.#unproven = 0;
    this.#hasPruned = false;
    await this.#prune();
    await this.#state.save();
    return "active";
  }

  /** Removes what is marked as gone: after each search, and in a run that prunes after one that did not. */
  async #prune(): Promise<Step> {
    const { plan, writer, report } = this.#run;
    const { isMarked, sawStored, provenMs } = this.#state.current;
    if (plan.prune === false || !isMarked || this.#hasPruned) return "idle";
    this.#hasPruned = true;
    if (await removeGone(plan, sawStored, writer, report))
      this.#state.change({ isMarked: false, provenMs: plan.prune === "all" ? Date.now() : provenMs });
    return "idle";
  }
}

function isPassDue({ scope, pass, passedMs }: SyncState, plan: SyncPlan): boolean {
  if (pass !== undefined || scope !== plan.scope || passedMs === undefined) return true;
  const sinceMs = Date.now() - passedMs;
  // If the clock was set back, the last pass may seem to be in the future.
  return sinceMs >= DAY_MS || sinceMs < -longestPauseMs(plan.patience);
}

/** What began at this time or later, within the period of the run. */
function pollPeriod({ since, until }: SyncPlan, fromMs: number): Period {
  const sinceMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "");
  return new Period({ since: sinceMs >= fromMs ? since : new Date(fromMs), until });
}
