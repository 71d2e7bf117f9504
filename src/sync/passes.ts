/** The readings of a run: the polls, the history, the daily pass, and the search for what is gone after it. */
import { DAY_MS } from "../async/timers.js";
import { requestByIds } from "./by-ids.js";
import { markGone, nextCandidates, removeGone } from "./gone.js";
import { LIST_START, ListPass, type ListPosition } from "./list-pass.js";
import { longestPauseMs } from "./patience.js";
import { Period } from "./period.js";
import { ListReading, type Reached } from "./reading.js";
import type { RememberedMeeting } from "./remembered-meetings.js";
import type { Run } from "./run-parts.js";
import type { SavedState } from "./saved-state.js";
import type { SyncState } from "./state.js";
import type { SyncPlan } from "./sync-options.js";
import type { Lane } from "./turns.js";

/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const POLL_EXTRA_MS = 2 * DAY_MS;
/** After so many requests in a row that prove nothing, the service cannot be asked by ids. */
const MAX_UNPROVEN = 3;

type Search = NonNullable<SyncState["search"]>;

/** `left`: the budget is used up, or something more urgent is to be done first. `waiting`: there is more to do later. */
export type Step = "active" | "blocked" | "waiting" | "idle";

export class Passes {
  readonly #run: Run;
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

  constructor(run: Run, state: SavedState) {
    this.#run = run;
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

  async poll(): Promise<Step> {
    const { clock, plan } = this.#run;
    if (this.#poll === undefined && clock.now() < this.#pollAt) return "idle";
    this.#poll ??= this.#openPoll();
    const { list, beganMs } = this.#poll;
    const reached = await this.#read(this.#poll, { poll: undefined });
    if (reached === "page") {
      const { fromMs = beganMs } = this.#state.current.poll ?? {};
      await this.#state.save({ poll: { ...list.position, beganMs, fromMs } });
    }
    if (reached === "end") {
      this.#state.change({ poll: undefined, polledMs: beganMs });
      this.#poll = undefined;
      this.#pollAt = clock.now() + plan.patience.pollMs * (0.8 + 0.4 * Math.random());
    }
    return reached === "page" || reached === "end" ? "active" : reached;
  }

  #openPoll(): ListReading {
    const { plan } = this.#run;
    const { polledMs, poll } = this.#state.current;
    const nowMs = Date.now();
    const newFromMs = Math.min(nowMs, polledMs ?? nowMs) - plan.patience.settleMs - POLL_EXTRA_MS;
    const { beganMs, fromMs, ...position } = poll ?? { ...LIST_START, beganMs: nowMs, fromMs: newFromMs };
    this.#state.change({ poll: { ...position, beganMs, fromMs } });
    return this.#open("poll", pollPeriod(plan, fromMs), { position, beganMs });
  }

  /** One page of the history or of a daily pass, or one request of the search that follows it. */
  async pass(): Promise<Step> {
    const { plan, report } = this.#run;
    const { search } = this.#state.current;
    if (search !== undefined) return this.#search(search);
    if (this.#pass === undefined && !isPassDue(this.#state.current, plan)) return this.#prune();
    this.#pass ??= this.#openPass();
    const { list, beganMs, sawStored } = this.#pass;
    const reached = await this.#read(this.#pass, { pass: undefined });
    if (reached === "page")
      await this.#state.save({ pass: { ...list.position, beganMs, sawStored: this.#pass.sawStored } });
    if (reached === "end") {
      this.#seen = list.seen;
      await this.#state.save({
        pass: undefined,
        search: { after: undefined, beganMs, sawStored: sawStored || this.#pass.sawStored },
      });
      this.#pass = undefined;
      report.passEnded();
    }
    return reached === "page" || reached === "end" ? "active" : reached;
  }

  #openPass(): ListReading {
    const { plan, writer } = this.#run;
    const { scope, pass, provenMs } = this.#state.current;
    writer.refused.clear();
    const begun = scope === plan.scope ? pass : undefined;
    const { beganMs, sawStored, ...position } = begun ?? { ...LIST_START, beganMs: Date.now(), sawStored: false };
    this.#state.change({ scope: plan.scope, pass: { ...position, beganMs, sawStored } });
    return this.#open("pass", plan.period, { position, beganMs, sawStored, storedUntilMs: provenMs });
  }

  #open(
    lane: Lane & ("poll" | "pass"),
    period: Period,
    {
      position,
      ...facts
    }: { position: ListPosition; beganMs: number; sawStored?: boolean; storedUntilMs?: number | undefined },
  ): ListReading {
    const { plan, requests, signal } = this.#run;
    const isHistory = lane === "pass" && this.#state.current.passedMs === undefined;
    return new ListReading({
      ...this.#run,
      ...facts,
      lane,
      phase: isHistory ? "history" : lane,
      list: new ListPass({ client: requests.client, period, from: position, signal }),
      pauseMs: plan.patience.pollMs,
      onPage: (ids) => {
        if (ids.length > 0) this.#shown = ids;
      },
    });
  }

  /** If its cursor is refused again and again, the next run begins the list anew. */
  async #read(reading: ListReading, withoutPlace: Partial<SyncState>): Promise<Reached> {
    try {
      return await reading.step();
    } catch (error) {
      if (reading.list.isRefused) await this.#state.save(withoutPlace);
      throw error;
    }
  }

  async #search(search: Search): Promise<Step> {
    const { plan, turns } = this.#run;
    const candidates = await nextCandidates(plan, search.after, this.#seen, search.atOnce);
    if (candidates.length === 0 || this.#unproven >= MAX_UNPROVEN) return this.#endSearch(search);
    if (!(await turns.next("pass"))) return "blocked";
    if (this.#shown.length > 0) await this.#mark(candidates, search);
    // Without a meeting in the list, nothing can be proven.
    else if ((await this.#showSome()) === 0) return this.#endSearch(search);
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

  async #endSearch({ beganMs, sawStored }: Search): Promise<Step> {
    const provenMs = this.#state.current.provenMs;
    const isProven = sawStored || provenMs === undefined;
    this.#state.change({
      search: undefined,
      passedMs: beganMs,
      marked: { sawStored },
      provenMs: isProven ? Date.now() : provenMs,
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
    const { marked } = this.#state.current;
    if (plan.prune === false || marked === undefined || this.#hasPruned) return "idle";
    this.#hasPruned = true;
    if (await removeGone(plan, marked.sawStored, writer, report)) {
      const provenMs = plan.prune === "all" ? Date.now() : this.#state.current.provenMs;
      this.#state.change({ marked: undefined, provenMs });
    }
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
