/**
 * The loop of a run. Each round takes, in this order, what is there: events, what is due, one page of the poll, one page
 * of the history or of the daily pass. Nothing in a round sleeps or repeats: what fails is put back with a pause.
 */
import { throwIfAborted } from "../async/abort.js";
import { HOUR_MS } from "../async/timers.js";
import { idProblem } from "../schemas/ids.js";
import type { Look } from "./examine.js";
import { Examiner, IDS_AT_ONCE } from "./examiner.js";
import { mayHalve, requestByIds } from "./meeting-list.js";
import { parseMemory } from "./memory.js";
import { BudgetUsedUpError, pauseMs } from "./paced-client.js";
import { hasBudget, Readings } from "./readings.js";
import type { Run } from "./run.js";
import { GIVES_UP_MS } from "./write.js";

export interface RunEnd {
  readonly ended: "done" | "paused";
  readonly nextAt: Date;
}

/** While a pass is open, it has its turn after so many meetings that are due. */
const DUE_BESIDE_PASS = 12;
/** How often the store is asked whether something is due, between meetings of a pass. */
const LOOK_MS = 1_000;
/** The latest time that a `Date` can be. */
const END_OF_TIME = new Date(8.64e15);

/** When an id is requested again that could not be, or of which the answer said nothing. */
interface Later {
  readonly at: number;
  readonly failures: number;
  /** When it failed first, by the clock. */
  readonly sinceAt: number;
}

/** Resolves when there is nothing to do before `nextAt`, or when the budget is used up. With `follow`, it does not end. */
export async function fillStore(run: Run): Promise<RunEnd> {
  const examiner = new Examiner(run);
  return new Filling(run, examiner, await Readings.open(run, examiner)).toEnd();
}

class Filling {
  readonly #run: Run;
  readonly #examiner: Examiner;
  readonly #readings: Readings;
  readonly #later = new Map<string, Later>();
  /** Whether the next round may begin a poll. */
  #mayPoll = true;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(run: Run, examiner: Examiner, readings: Readings) {
    this.#run = run;
    this.#examiner = examiner;
    this.#readings = readings;
  }

  async toEnd(): Promise<RunEnd> {
    const { signal } = this.#run;
    try {
      for (;;) {
        throwIfAborted(signal);
        if (await this.#round()) continue;
        const end = await this.#caughtUp();
        if (end !== undefined) return end;
      }
    } catch (error) {
      if (error instanceof BudgetUsedUpError) return this.#paused();
      throw error;
    }
  }

  /** Resolves to whether something was done. */
  async #round(): Promise<boolean> {
    const { plan } = this.#run;
    const hasRead = await this.#events();
    const wasDue = await this.#due();
    if (plan.only !== undefined) return hasRead || wasDue;
    const hasPolled = await this.#readings.poll(this.#mayPoll, this.#hasEvents);
    const hasPassed = await this.#readings.pass(this.#hasUrgent);
    // With a short `pollMs`, a run that has nothing else to do would poll for ever.
    this.#mayPoll = plan.follow || hasRead || wasDue || hasPassed;
    return hasRead || wasDue || hasPolled || hasPassed;
  }

  #hasEvents = (): boolean => this.#run.inbox.readyInMs === 0;

  #hasUrgent = async (): Promise<boolean> => {
    if (this.#hasEvents() || this.#readings.pollInMs === 0) return true;
    const now = this.#run.clock.now();
    if (now < this.#lookedAt + LOOK_MS) return false;
    this.#lookedAt = now;
    return (await this.#dueIds(new Date(), 1)).length > 0;
  };

  async #events(): Promise<boolean> {
    const { inbox } = this.#run;
    if (!this.#hasEvents()) return false;
    if (inbox.takeAnyMeeting()) this.#readings.pollNow();
    const ids = [...inbox.ids].filter((id) => this.#isNow(id));
    return ids.length > 0 && this.#byIds(ids, "named");
  }

  async #due(): Promise<boolean> {
    const { plan } = this.#run;
    const again = [...this.#examiner.again].filter((id) => this.#isNow(id));
    if (again.length > 0) return this.#byIds(again, "listed");
    if (plan.only !== undefined) return false;
    const max = this.#readings.isPassOpen ? DUE_BESIDE_PASS : IDS_AT_ONCE;
    const ids = await this.#dueIds(new Date(), max);
    return ids.length > 0 && this.#byIds(ids, "listed");
  }

  async #dueIds(until: Date, max: number): Promise<string[]> {
    const ids = await this.#run.store.call((store) => store.due(until, max + this.#later.size));
    return ids.filter((id) => this.#isNow(id)).slice(0, max);
  }

  /** An id that cannot be sent is due when a poll or a pass shows its row. */
  #isNow(id: string): boolean {
    return idProblem("meetingId", id) === undefined && (this.#later.get(id)?.at ?? 0) <= this.#run.clock.now();
  }

  /** Requests some of the meetings by their ids, and examines them. */
  async #byIds(ids: readonly string[], look: Look): Promise<boolean> {
    const { client, inbox, report, requestPage } = this.#run;
    if (client.pausedMs("list") > 0) return false;
    client.checkBudget();
    // The answer may have a page for each meeting, and then its pieces are requested: no more than the budget allows.
    const some = ids.slice(0, Math.max(1, Math.min(this.#examiner.idsAtOnce, Math.floor(client.left / 2))));
    report.progress(look === "named" ? "event" : "due");
    const found = await requestByIds(requestPage, some).catch((error) => this.#onFailure(some, look, error));
    if (found === undefined) return true;
    this.#examiner.idsAtOnce = Math.min(IDS_AT_ONCE, this.#examiner.idsAtOnce * 2);
    const { writes, again } = this.#examiner;
    for (const id of some) this.#later.delete(id);
    for (const id of some) again.delete(id);
    const undecided = await this.#examiner.found(some, found, look, look === "named" ? () => false : this.#hasEvents);
    inbox.done(some);
    // What is due, and stays as it is, is not requested again at once.
    const isUnchanged = look === "listed" && this.#examiner.writes === writes && !this.#hasEvents();
    if (isUnchanged) for (const id of some) this.#putOff(id, this.#run.plan.pollMs);
    for (const id of undecided) this.#putOff(id, HOUR_MS);
    if (look === "named") for (const id of undecided) await this.#leave(id);
    return true;
  }

  /** The answer says nothing of an id that was named. */
  async #leave(id: string): Promise<void> {
    await this.#examiner.unanswered(id);
    this.#run.inbox.done([id]);
  }

  #putOff(id: string, ms: number): void {
    const now = this.#run.clock.now();
    this.#later.set(id, { at: now + ms, failures: 0, sinceAt: now });
  }

  /** Half as many are requested next time; at last one, and then that id has a pause of its own. */
  async #onFailure(ids: readonly string[], look: Look, error: unknown): Promise<undefined> {
    const { plan, clock, client, report, signal } = this.#run;
    throwIfAborted(signal);
    if (!mayHalve(error)) throw error;
    const now = clock.now();
    this.#examiner.idsAtOnce = Math.max(1, ids.length >> 1);
    const [id] = ids;
    if (id === undefined || ids.length > 1 || client.pausedMs("list") > 0) return;
    const { failures = 0, sinceAt = now } = this.#later.get(id) ?? {};
    this.#later.set(id, { at: now + pauseMs(plan.pollMs, failures + 1), failures: failures + 1, sinceAt });
    report.waiting("service", pauseMs(plan.pollMs, failures + 1));
    // If the service has answered others since, it is this id that it does not answer.
    const failsForAll = client.failingSince !== undefined && client.failingSince <= sinceAt;
    if (look === "named" && !failsForAll) await this.#leave(id);
    if (!plan.follow && failsForAll && now - sinceAt >= GIVES_UP_MS) throw error;
  }

  async #paused(): Promise<RunEnd> {
    const { plan, client } = this.#run;
    const nextAt = new Date(Date.now() + client.continuesInMs);
    // If the store is away, the next run begins where the state was saved last.
    if (plan.only === undefined) await this.#readings.save({}, nextAt).catch(() => {});
    return { ended: "paused", nextAt };
  }

  /** There is nothing to do now. `undefined`: after a sleep there is. */
  async #caughtUp(): Promise<RunEnd | undefined> {
    const { plan, clock, inbox, client, report, signal } = this.#run;
    const nextMs = await this.#nextMs();
    const waits = this.#openWaitMs();
    if (this.#readings.isChanged && plan.only === undefined) await this.#readings.save({}, new Date(nextMs));
    if (!plan.follow && waits === undefined) return { ended: "done", nextAt: new Date(nextMs) };
    const shortest = Math.min(waits ?? HOUR_MS, plan.follow ? nextMs - Date.now() : HOUR_MS);
    const waitMs = Math.ceil(Math.max(0, shortest, client.pausedMs("list")));
    if (hasBudget(plan)) client.checkBudget(waitMs);
    if (waits === undefined) report.progress("idle");
    else report.waiting("service", waitMs);
    await clock.pause(Math.min(waitMs, HOUR_MS), signal, inbox.arrival());
    return undefined;
  }

  /** How long until something goes on that a run has begun; `undefined`: it has begun nothing. */
  #openWaitMs(): number | undefined {
    const { plan, clock, inbox, client } = this.#run;
    const now = clock.now();
    const waits: number[] = [];
    const ids = [...inbox.ids, ...this.#examiner.again];
    const idsMs = ids.map((id) => (this.#later.get(id)?.at ?? now) - now);
    const readyMs = inbox.ids.size > 0 ? inbox.readyInMs : 0;
    if (ids.length > 0) waits.push(Math.max(client.pausedMs("list"), readyMs, Math.min(...idsMs)));
    if (plan.only === undefined && this.#readings.isOpen) waits.push(this.#readings.waitMs);
    // A short pause of the service is no reason to leave pieces to the next run.
    const isWorthIt = !plan.follow && plan.only === undefined && !hasBudget(plan);
    if (isWorthIt && client.shortPauseMs !== undefined) waits.push(client.shortPauseMs);
    return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
  }

  /** When something is to be done again, in milliseconds since 1970. */
  async #nextMs(): Promise<number> {
    const { plan, store } = this.#run;
    const nowMs = Date.now();
    const [id] = await this.#dueIds(END_OF_TIME, 1);
    const text = id === undefined ? undefined : (await store.call((into) => into.readMemory([id]))).get(id);
    const dueMs = parseMemory(text).memory?.dueMs ?? Number.POSITIVE_INFINITY;
    const { polledMs = 0 } = this.#readings.state;
    const pollMs = plan.only === undefined ? nowMs + Math.ceil(this.#readings.pollInMs) : polledMs + plan.pollMs;
    const passMs = this.#readings.isPassOpen ? Number.POSITIVE_INFINITY : this.#readings.nextPassMs;
    return Math.max(nowMs, Math.min(dueMs, pollMs, passMs));
  }
}
