/** The readings of the list: polls, and full passes with the search for what is gone. Each step sends one request. */
import { DAY_MS, HOUR_MS } from "../async/timers.js";
import { messageOf } from "../errors/error-record.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { oneLine } from "../errors/one-line.js";
import { hintMs } from "../transport/retry-policy.js";
import { type Examiner, IDS_AT_ONCE } from "./examiner.js";
import { countMarked, isToRemove, markGone, nextCandidates, PROOFS, removeMarked } from "./gone.js";
import { LIST_START, ListPages, type ListPosition, mayHalve } from "./meeting-list.js";
import { formatState, parseState, type SyncState } from "./memory.js";
import { BudgetUsedUpError, pauseMs } from "./paced-client.js";
import { Period } from "./period.js";
import type { MeetingRow } from "./rows.js";
import type { Run } from "./run.js";
import type { SyncPhase, SyncPlan } from "./sync-options.js";
import { GIVES_UP_MS } from "./write.js";

/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const POLL_EXTRA_MS = 2 * DAY_MS;
/** A pass that took several runs knows only what its last run has seen, so its search asks for every stored id. */
const COSTLY_SEARCH_MS = 7 * DAY_MS;
/** After so many requests in a row that prove nothing, the service cannot be asked by ids. */
const MAX_UNPROVEN = 3;
/** A page with nothing new is not worth a write: its position is saved after this time. */
const SAVE_EVERY_MS = 60_000;

const EMPTY_LIST = "the list is empty, it has shown none of the meetings of the store: they are kept";

type Candidates = Awaited<ReturnType<typeof nextCandidates>>;
type Search = NonNullable<SyncState["search"]>;

/** A reading of the list that is under way. */
interface Reading {
  readonly lane: "poll" | "pass";
  readonly phase: SyncPhase;
  readonly pages: ListPages;
  readonly beganMs: number;
  /** The rows of the latest page that are not examined yet. */
  rest: readonly MeetingRow[];
  requestedMs: number;
  /** Whether this run has read it from its beginning. */
  readonly isWhole: boolean;
}

/** A lane whose request has failed waits, and the others have their turn. */
class Lane {
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  waitMs(now: number): number {
    return Math.max(0, this.#notBefore - now);
  }

  /** `hint`: how long the service asks to wait. */
  failed(now: number, pollMs: number, hint: number, mostMs: number): void {
    this.#failures += 1;
    const ms = Math.max(pauseMs(pollMs, this.#failures), Math.min(hint, HOUR_MS));
    this.#notBefore = now + Math.min(ms, Math.max(0, mostMs));
  }

  succeeded(): void {
    this.#failures = 0;
  }
}

export class Readings {
  state: SyncState;
  readonly #run: Run;
  readonly #examiner: Examiner;
  readonly #lanes = { poll: new Lane(), pass: new Lane() };
  #poll: Reading | undefined;
  #pass: Reading | undefined;
  /** When the next poll begins, by the clock. */
  #pollAt: number;
  /** Ids that the list has just shown. */
  #shown: readonly string[] = [];
  /** The ids that the latest pass of this run has shown. */
  #seen: ReadonlySet<string> = new Set();
  /** Whether these are all that the pass has shown. */
  #hasSeenAll = false;
  #unproven = 0;
  /** Whether this run has removed what is marked, or has said why not. */
  #hasPruned = false;
  /** Whether there is something to save, but not at once: a change, or when there is something to do again. */
  isChanged = false;
  #savedAt = Number.NEGATIVE_INFINITY;

  static async open(run: Run, examiner: Examiner): Promise<Readings> {
    return new Readings(run, examiner, parseState(await run.store.call((store) => store.readState())));
  }

  private constructor(run: Run, examiner: Examiner, state: SyncState) {
    this.#run = run;
    this.#examiner = examiner;
    this.state = state;
    this.#pollAt = run.clock.now();
  }

  /** How long until a poll begins, or goes on. */
  get pollInMs(): number {
    const now = this.#run.clock.now();
    if (this.#poll === undefined) return Math.max(0, this.#pollAt - now);
    return Math.max(this.#lanes.poll.waitMs(now), this.#run.client.pausedMs("list"));
  }

  /** Whether a reading is under way, which a run that does not follow has to end. */
  get isOpen(): boolean {
    return this.#poll !== undefined || this.#pass !== undefined || this.state.search !== undefined;
  }

  /** How long until an open reading goes on. */
  get waitMs(): number {
    const now = this.#run.clock.now();
    const waits = [
      this.#poll && this.#lanes.poll.waitMs(now),
      this.isPassOpen ? this.#lanes.pass.waitMs(now) : undefined,
    ];
    const shortest = Math.min(...waits.filter((ms) => ms !== undefined));
    return Math.max(shortest, this.#run.client.pausedMs("list"));
  }

  get isPassOpen(): boolean {
    return this.#pass !== undefined || this.state.search !== undefined;
  }

  /** When the next full pass begins, in milliseconds since 1970. */
  get nextPassMs(): number {
    const { passedMs } = this.state;
    return passedMs === undefined ? Date.now() : passedMs + DAY_MS;
  }

  pollNow(): void {
    this.#pollAt = Math.min(this.#pollAt, this.#run.clock.now());
  }

  /** One page of a poll, or what is left of it. Resolves to whether something was done. */
  async poll(mayBegin: boolean, hasUrgent: () => boolean | Promise<boolean>): Promise<boolean> {
    const { clock, plan } = this.#run;
    if (this.#poll === undefined && (!mayBegin || clock.now() < this.#pollAt)) return false;
    this.#poll ??= this.#openPoll();
    if (this.#poll === undefined) return false;
    const isActive = await this.#step(this.#poll, hasUrgent);
    if (this.#poll.pages.isAtEnd && this.#poll.rest.length === 0) {
      this.#change({ poll: undefined, polledMs: this.#poll.beganMs, failingMs: undefined, error: undefined });
      this.#poll = undefined;
      this.#pollAt = clock.now() + plan.pollMs * (0.8 + 0.4 * Math.random());
    }
    return isActive;
  }

  /** `undefined`: `until` lies before everything that a poll reads. */
  #openPoll(): Reading | undefined {
    const { plan, clock } = this.#run;
    const nowMs = Date.now();
    const { polledMs = nowMs, poll } = this.state;
    const newFromMs = Math.min(nowMs, polledMs) - plan.settleMs - POLL_EXTRA_MS;
    const place = poll ?? { ...LIST_START, beganMs: nowMs, fromMs: newFromMs };
    const period = pollPeriod(plan, place.fromMs);
    if (period === undefined) {
      this.#pollAt = clock.now() + plan.pollMs;
      return undefined;
    }
    this.#change({ poll: place });
    return this.#open("poll", "poll", period, place, poll === undefined);
  }

  /** One page of the history or of a daily pass, or one request of the search that follows it. */
  async pass(hasUrgent: () => boolean | Promise<boolean>): Promise<boolean> {
    if (this.state.search !== undefined) return this.#search(this.state.search);
    if (this.#pass === undefined && !this.#isPassDue()) return this.#prune();
    this.#pass ??= this.#openPass();
    const isActive = await this.#step(this.#pass, hasUrgent);
    if (this.#pass.pages.isAtEnd && this.#pass.rest.length === 0) {
      const { beganMs, isWhole, pages } = this.#pass;
      this.#seen = pages.seen;
      this.#hasSeenAll = isWhole;
      this.#pass = undefined;
      this.#run.report.passEnded();
      await this.save({ pass: undefined, search: { beganMs } });
    }
    return isActive;
  }

  #isPassDue(): boolean {
    const { scope, pass, passedMs } = this.state;
    if (pass !== undefined || scope !== this.#run.plan.scope || passedMs === undefined) return true;
    const sinceMs = Date.now() - passedMs;
    // If the clock was set back, the last pass may seem to be in the future.
    return sinceMs >= DAY_MS || sinceMs < -pauseMs(this.#run.plan.pollMs, Number.POSITIVE_INFINITY);
  }

  #openPass(): Reading {
    const { plan } = this.#run;
    const { scope, pass, passedMs } = this.state;
    const begun = scope === plan.scope ? pass : undefined;
    const place = begun ?? { ...LIST_START, beganMs: Date.now() };
    this.#change({ scope: plan.scope, pass: place });
    return this.#open("pass", passedMs === undefined ? "history" : "pass", plan.period, place, begun === undefined);
  }

  #open(
    lane: Reading["lane"],
    phase: SyncPhase,
    period: Period,
    place: ListPosition & { readonly beganMs: number },
    isWhole: boolean,
  ): Reading {
    this.#run.report.readingBegins(lane);
    const pages = new ListPages({ request: this.#run.requestPage, period, from: place });
    return { lane, phase, pages, beganMs: place.beganMs, rest: [], requestedMs: 0, isWhole };
  }

  async #step(reading: Reading, hasUrgent: () => boolean | Promise<boolean>): Promise<boolean> {
    const { clock, client, report } = this.#run;
    const { lane, phase, pages } = reading;
    const writes = this.#examiner.writes;
    report.progress(phase);
    if (reading.rest.length === 0) {
      if (this.#lanes[lane].waitMs(clock.now()) > 0 || client.pausedMs("list") > 0) return false;
      if (!(await this.#requestPage(reading))) return true;
    }
    const look = { look: "listed", requestedMs: reading.requestedMs, countsAll: lane === "pass" } as const;
    reading.rest = await this.#examiner.rows(reading.rest, look, hasUrgent);
    if (reading.rest.length > 0 || pages.isAtEnd) return true;
    const place = { ...pages.position, beganMs: reading.beganMs };
    this.#change(lane === "pass" ? { pass: place } : { poll: { ...place, fromMs: this.state.poll?.fromMs ?? 0 } });
    if (this.#examiner.writes > writes || clock.now() >= this.#savedAt + SAVE_EVERY_MS) await this.save();
    return true;
  }

  async #requestPage(reading: Reading): Promise<boolean> {
    const { report } = this.#run;
    const { lane, pages } = reading;
    try {
      const page = await pages.next();
      this.#lanes[lane].succeeded();
      report.addUnreadable(lane, page.unreadable);
      if (page.ids.length > 0) this.#shown = page.ids;
      reading.rest = page.rows;
      reading.requestedMs = page.requestedMs;
      if (this.state.failingMs !== undefined) this.#change({ failingMs: undefined, error: undefined });
      return true;
    } catch (error) {
      await this.#onFailure(lane, error, pages.mayTryAgain(error));
      return false;
    }
  }

  /** The lane waits. A run that does not follow ends when every request has failed for ten minutes. */
  async #onFailure(lane: Reading["lane"], error: unknown, mayTryAgain: boolean): Promise<void> {
    const { plan, clock, client, report, signal } = this.#run;
    if (signal.aborted || error instanceof BudgetUsedUpError) throw error;
    const now = clock.now();
    const leftMs = plan.follow ? Number.POSITIVE_INFINITY : (client.failingSince ?? now) + GIVES_UP_MS - now;
    const isHopeless = leftMs <= 0 || client.pausedMs("list") > leftMs;
    this.#lanes[lane].failed(now, plan.pollMs, hintMs(error) ?? 0, hasBudget(plan) ? Number.POSITIVE_INFINITY : leftMs);
    const waitMs = Math.max(this.#lanes[lane].waitMs(now), client.pausedMs("list"));
    // Who operates it sees it at once. If the store fails as well, the error of the service is the one that is thrown.
    const isNew = this.state.failingMs === undefined;
    this.#change({ failingMs: this.state.failingMs ?? Date.now(), error: oneLine(messageOf(error)) });
    if (!mayTryAgain || (isHopeless && !hasBudget(plan))) {
      await this.save().catch(() => {});
      throw error;
    }
    if (isNew) await this.save();
    if (isHopeless && hasBudget(plan)) client.endBudget(waitMs);
    report.waiting(isRateLimited(error) ? "rate_limit" : "service", waitMs);
  }

  /** One request of the search. */
  async #search(search: Search): Promise<boolean> {
    const { plan, clock, client, report } = this.#run;
    if (this.#lanes.pass.waitMs(clock.now()) > 0 || client.pausedMs("list") > 0) return false;
    const isTooCostly = this.#isTooCostly();
    const max = Math.max(1, Math.min(this.#examiner.idsAtOnce - PROOFS, Math.floor(client.left / 2)));
    const candidates = isTooCostly ? [] : await nextCandidates(this.#run, search, this.#seen, max);
    if (candidates.length === 0 || this.#unproven >= MAX_UNPROVEN) return this.#endSearch(search, isTooCostly);
    try {
      if (this.#shown.length > 0 || (await this.#showSome())) await this.#mark(candidates, search);
      else {
        // Without a meeting in the list, nothing can be proven.
        if (plan.prune !== false) report.notRemoved = EMPTY_LIST;
        await this.#endSearch(search, true);
      }
      this.#lanes.pass.succeeded();
    } catch (error) {
      if (!mayHalve(error)) throw error;
      await this.#searchFewer(candidates, search, error);
    }
    return true;
  }

  #isTooCostly(): boolean {
    const { searchedMs = 0 } = this.state;
    if (this.state.search?.isOfMarked) return false;
    return hasBudget(this.#run.plan) && !this.#hasSeenAll && Math.abs(Date.now() - searchedMs) < COSTLY_SEARCH_MS;
  }

  /** Half as many meetings are requested next; a single one is left out, and the search waits. */
  async #searchFewer(candidates: Candidates, search: Search, error: unknown): Promise<void> {
    if (this.#run.client.pausedMs("list") > 0) return;
    this.#examiner.idsAtOnce = Math.max(1, candidates.length >> 1) + PROOFS;
    if (candidates.length > 1) return;
    this.#change({ search: { ...search, after: candidates[0]?.id } });
    await this.#onFailure("pass", error, true);
  }

  async #mark(candidates: Candidates, search: Search): Promise<void> {
    const isProven = await markGone(this.#run, this.#examiner, candidates, this.#shown.slice(-PROOFS));
    this.#examiner.idsAtOnce = IDS_AT_ONCE;
    this.#unproven = isProven ? 0 : this.#unproven + 1;
    if (isProven) this.#change({ search: { ...search, after: candidates.at(-1)?.id } });
    else this.#shown = [];
  }

  /** Requests the first page. Resolves to whether it shows a meeting. */
  async #showSome(): Promise<boolean> {
    const { plan, requestPage } = this.#run;
    const pages = new ListPages({ request: requestPage, period: plan.period });
    this.#shown = (await pages.next()).ids;
    return this.#shown.length > 0;
  }

  /** `isCutShort`: nothing was proven, so nothing is removed. */
  async #endSearch({ beganMs, isOfMarked }: Search, isCutShort: boolean): Promise<boolean> {
    const isComplete = !isCutShort && this.#unproven < MAX_UNPROVEN;
    const { doubtedMs } = this.state;
    this.#seen = new Set();
    this.#unproven = 0;
    this.#hasPruned = true;
    this.#change({ search: undefined, ...(!isOfMarked && { passedMs: beganMs }) });
    if (isComplete) {
      const marked = await countMarked(this.#run, doubtedMs ?? beganMs);
      const isRemoved = isToRemove(this.#run, marked);
      if (isRemoved) await removeMarked(this.#run);
      const isDoubted = marked.doubt !== undefined && !isRemoved;
      this.#change({
        hasMarked: marked.gone > 0 && !isRemoved,
        doubtedMs: isDoubted ? (doubtedMs ?? beganMs) : undefined,
        ...(!isOfMarked && { searchedMs: Date.now() }),
      });
    }
    await this.save();
    return true;
  }

  /** A run that prunes, after one that has only marked what is gone: it is asked for again before it is removed. */
  async #prune(): Promise<boolean> {
    const { hasMarked = false, passedMs = 0, doubtedMs = passedMs } = this.state;
    if (this.#run.plan.prune === false || !hasMarked || this.#hasPruned) return false;
    this.#hasPruned = true;
    if (!isToRemove(this.#run, await countMarked(this.#run, doubtedMs))) return false;
    this.#change({ search: { beganMs: passedMs, isOfMarked: true } });
    return true;
  }

  #change(changes: Partial<SyncState>): void {
    this.state = { ...this.state, ...changes };
    this.isChanged = true;
  }

  /** `nextAt`: when there is something to do again; absent: now. */
  async save(changes: Partial<SyncState> = {}, nextAt?: Date): Promise<void> {
    this.#change(changes);
    const { polledMs, failingMs, error } = this.state;
    const date = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
    const health = { polledAt: date(polledMs), failingSince: date(failingMs), error };
    await this.#run.store.writeBatch({ state: formatState(this.state), nextAt: nextAt ?? new Date(), health });
    this.isChanged = nextAt === undefined;
    this.#savedAt = this.#run.clock.now();
  }
}

export const hasBudget = ({ budget }: SyncPlan): boolean => budget.requests !== undefined || budget.ms !== undefined;

/** What began at this time or later, within the period of the run. */
function pollPeriod({ since, until }: SyncPlan, fromMs: number): Period | undefined {
  const sinceMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "");
  const untilMs = until instanceof Date ? until.getTime() : Date.parse(until ?? "") + 2 * DAY_MS;
  if (untilMs < fromMs) return undefined;
  return new Period({ since: sinceMs >= fromMs ? since : new Date(fromMs), until });
}
