/**
 * The loop that fills a store: events first, then what is due, then the poll, then one page of the history or of the daily
 * pass; then the next round begins.
 */
import { throwIfAborted } from "../../async/abort.js";
import { DAY_MS } from "../../async/timers.js";
import { IDS_AT_ONCE } from "../list/by-ids.js";
import { Examiner } from "../meeting/examiner.js";
import { parseMemory } from "../meeting/memory.js";
import { longestPauseMs } from "../meeting/patience.js";
import { postponedTo } from "../meeting/without-row.js";
import { rememberedMeetings } from "../store/remembered-meetings.js";
import type { MeetingWriter } from "../store/writer.js";
import { Outages } from "./outages.js";
import { Passes } from "./passes.js";
import type { Step } from "./reading.js";
import { BudgetUsedUpError } from "./requests.js";
import type { Run } from "./run.js";
import type { RunBasis } from "./run-basis.js";
import { SavedState } from "./state.js";
import { Turns } from "./turns.js";

export interface RunEnd {
  readonly ended: "done" | "paused";
  readonly nextAt: Date;
}

/** The latest time that a `Date` can be. */
const END_OF_TIME = new Date(8.64e15);

/** Resolves when there is nothing to do before `nextAt`, or when the budget is used up. With `follow`, it does not end. */
export async function fillStore(basis: RunBasis, writer: MeetingWriter): Promise<RunEnd> {
  const turns = new Turns(basis, () => passes);
  const run: Run = { ...basis, outages: new Outages(basis), turns, writer };
  const examiner = new Examiner(run);
  const state = await SavedState.read(basis.plan.into, writer);
  const passes: Passes = new Passes(run, examiner, state);
  return new Loop(run, examiner, state, passes).toEnd();
}

class Loop {
  readonly #run: Run;
  readonly #examiner: Examiner;
  readonly #state: SavedState;
  readonly #passes: Passes;
  /** Whether the next round may begin a poll. */
  #mayPoll = true;

  constructor(run: Run, examiner: Examiner, state: SavedState, passes: Passes) {
    this.#run = run;
    this.#examiner = examiner;
    this.#state = state;
    this.#passes = passes;
  }

  async toEnd(): Promise<RunEnd> {
    const { signal, requests } = this.#run;
    for (;;) {
      throwIfAborted(signal);
      const steps = await this.#round();
      const isBlocked = steps.includes("blocked");
      if (steps.includes("active") || (isBlocked && !requests.isUsedUp())) continue;
      const end = isBlocked ? await this.#pause() : await this.#caughtUp(steps.includes("waiting"));
      if (end !== undefined) return end;
    }
  }

  async #pause(): Promise<RunEnd> {
    const { plan, inbox, requests } = this.#run;
    const nextAt = requests.continuesAt;
    if (plan.only === undefined) await this.#state.save({}, nextAt);
    else await this.#examiner.leave(inbox.take().ids);
    return { ended: "paused", nextAt };
  }

  /** There is nothing to do now. `undefined`: after a sleep there is. */
  async #caughtUp(isWaiting: boolean): Promise<RunEnd | undefined> {
    const { plan, clock, inbox, requests, report, signal } = this.#run;
    const nextMs = await this.#nextMs();
    if (this.#state.isChanged) await this.#state.save({}, new Date(nextMs));
    if (!plan.follow && !isWaiting) return { ended: "done", nextAt: new Date(nextMs) };
    const waitMs = this.#waitMs(nextMs);
    if (requests.isUsedUp(waitMs)) return { ended: "paused", nextAt: new Date(Date.now() + waitMs) };
    // What waits is a page that could not be read.
    if (isWaiting) report.waiting("service", waitMs);
    else report.progress("idle");
    await clock.pause(waitMs, signal, inbox.arrival());
    return undefined;
  }

  async #round(): Promise<Step[]> {
    const { follow, only } = this.#run.plan;
    try {
      const events = await this.#events();
      if (only !== undefined) return [events];
      const due = await this.#due();
      const poll = await this.#passes.poll(this.#mayPoll);
      const pass = await this.#passes.pass();
      // With a short `pollMs`, a run that has nothing else to do would poll for ever.
      this.#mayPoll = follow || [events, due, pass].some((step) => step !== "idle");
      return [events, due, poll, pass];
    } catch (error) {
      if (error instanceof BudgetUsedUpError) return ["blocked"];
      throw error;
    }
  }

  async #events(): Promise<Step> {
    const { inbox, requests, report } = this.#run;
    if (!inbox.isReady) return "idle";
    if (requests.isUsedUp()) return "blocked";
    const { ids, isAnyMeeting } = inbox.take();
    if (isAnyMeeting) this.#passes.pollNow();
    let left: readonly string[] = ids;
    try {
      report.progress("event");
      left = await this.#examiner.ids(ids, "event");
    } finally {
      if (left.length > 0) inbox.add(left);
    }
    return "active";
  }

  async #due(): Promise<Step> {
    const { requests, report, writer } = this.#run;
    await this.#repairTimes();
    const ids = (await this.#dueIds(new Date(), IDS_AT_ONCE)).slice(0, IDS_AT_ONCE);
    if (ids.length === 0) return "idle";
    if (requests.isUsedUp()) return "blocked";
    report.progress("due");
    const written = writer.count;
    const left = await this.#examiner.ids(ids, "due");
    if (left.length === 0 && writer.count === written) for (const id of ids) this.#examiner.unanswered.add(id);
    // If nothing was examined, what is due has had its share of this minute, and the pass goes on.
    return left.length === ids.length ? "idle" : "active";
  }

  async #dueIds(until: Date, max: number): Promise<string[]> {
    const { plan, writer } = this.#run;
    const { unanswered } = this.#examiner;
    const ids = await plan.into.due(until, max + writer.refused.size + unanswered.size);
    return ids.filter((id) => !writer.refused.has(id) && !unanswered.has(id));
  }

  /** If the clock was set back, what was due at a later time may never be due: it is due now. */
  async #repairTimes(): Promise<void> {
    const { plan, writer } = this.#run;
    const nowMs = Date.now();
    const latestMs = nowMs + longestPauseMs(plan.patience);
    if (this.#state.current.writtenMs <= latestMs) return;
    for await (const { id, known, memory } of rememberedMeetings(plan.into)) {
      if (memory.dueMs === undefined || memory.dueMs <= latestMs) continue;
      const finding = postponedTo(nowMs, id, known, memory);
      if (finding !== undefined) await writer.writeWhole(finding);
    }
    await this.#state.save();
  }

  /** When something is to be done again, in milliseconds since 1970. */
  async #nextMs(): Promise<number> {
    const { plan } = this.#run;
    const nowMs = Date.now();
    const [id] = await this.#dueIds(END_OF_TIME, 1);
    const text = id === undefined ? undefined : (await plan.into.readMemory([id])).get(id);
    const dueMs = parseMemory(text).memory?.dueMs ?? Number.POSITIVE_INFINITY;
    const { pass, passedMs = nowMs, polledMs = 0 } = this.#state.current;
    // A pass that is under way waits for a page.
    const passMs = pass === undefined ? passedMs + DAY_MS : Number.POSITIVE_INFINITY;
    const pollMs = plan.only === undefined ? nowMs + Math.ceil(this.#passes.pollInMs) : polledMs + plan.patience.pollMs;
    return Math.max(nowMs, Math.min(dueMs, pollMs, passMs));
  }

  /** How long until there is something to do, unless an event comes. */
  #waitMs(nextMs: number): number {
    const { plan, inbox } = this.#run;
    const eventMs = inbox.readyInMs ?? Number.POSITIVE_INFINITY;
    const limits = [nextMs - Date.now(), eventMs, longestPauseMs(plan.patience), this.#passes.waitsMs];
    return Math.ceil(Math.max(0, Math.min(...limits)));
  }
}
