/**
 * The loop of `walkMeetings({ follow })`: first the history, then polls, and once a day a full reading. Events come
 * before all of them.
 */
import { throwIfAborted } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import { formatCheckpoint } from "./checkpoint.js";
import type { FollowPlan } from "./follow-plan.js";
import { FullReadings } from "./full-reading.js";
import { HistoryReading } from "./history.js";
import type { EventInbox } from "./inbox.js";
import { Outages } from "./outages.js";
import { Polls } from "./poll.js";
import { type Items, Rows } from "./rows.js";

/** The events that arrive within this time are handled together. */
const EVENT_PAUSE_MS = 1_000;

export class Follower {
  readonly #plan: FollowPlan;
  readonly #inbox: EventInbox;
  readonly #outages: Outages;
  readonly #rows: Rows;
  readonly #history: HistoryReading;
  readonly #polls: Polls;
  readonly #fullReadings: FullReadings;
  #nextEventMs = 0;
  #isIdle = false;

  constructor(plan: FollowPlan, inbox: EventInbox) {
    this.#plan = plan;
    this.#inbox = inbox;
    this.#outages = new Outages(plan);
    this.#rows = new Rows(plan, () => this.#dueEvents());
    this.#history = new HistoryReading(plan, this.#rows);
    this.#polls = new Polls(plan, this.#rows);
    this.#fullReadings = new FullReadings(plan, this.#rows);
  }

  async *items(): Items {
    for (;;) {
      try {
        throwIfAborted(this.#plan.signal);
        const step = this.#nextStep();
        if (step !== undefined) {
          this.#isIdle = false;
          yield* step;
          this.#outages.end();
          continue;
        }
        if (!this.#isIdle) await this.#plan.onIdle(formatCheckpoint(this.#plan.state));
        this.#isIdle = true;
        if (this.#plan.isOnce && !this.#inbox.hasEvent) return;
        await this.#sleep();
      } catch (error) {
        await this.#outages.waitAfter(error);
      }
    }
  }

  /** Until the next poll or the next event. */
  async #sleep(): Promise<void> {
    const { hasEvent } = this.#inbox;
    const untilMs = hasEvent ? this.#nextEventMs : this.#polls.nextMs;
    await pause(Math.max(0, untilMs - Date.now()), this.#plan.signal, hasEvent ? undefined : this.#inbox.arrival());
  }

  /** What to do now; `undefined` if the loop has caught up. */
  #nextStep(): Items | undefined {
    const now = Date.now();
    const events = this.#dueEvents();
    if (events !== undefined) return events;
    const { history } = this.#plan.state;
    if (history !== undefined) return this.#history.step(history);
    if (this.#polls.isDue(now)) return this.#pollStep();
    return this.#fullReadings.isDue(now) ? this.#fullReadings.step() : undefined;
  }

  async *#pollStep(): Items {
    yield* this.#polls.step();
    this.#outages.polled();
  }

  #dueEvents(): Items | undefined {
    const now = Date.now();
    const isEarly = now < this.#nextEventMs && this.#nextEventMs <= now + EVENT_PAUSE_MS;
    return this.#inbox.hasEvent && !isEarly ? this.#eventStep() : undefined;
  }

  /** The meetings that events have named, whatever their dates. Then the list, whatever the events have named. */
  async *#eventStep(): Items {
    const ids = this.#inbox.take();
    this.#nextEventMs = Date.now() + EVENT_PAUSE_MS;
    try {
      for (const id of ids) this.#expect(id);
      yield* this.#rows.withIds(ids, { event: true });
    } catch (error) {
      this.#inbox.add(ids);
      throw error;
    }
    this.#polls.hurry();
  }

  /** A meeting that an event names is asked for again if the list does not have it yet. */
  #expect(id: string): void {
    const { state, formats } = this.#plan;
    if (state.entries.has(id)) return;
    const now = Date.now();
    const open = { lacks: [], firstSeenMs: now, completedMs: now, tries: 0, dueMs: now, postponed: 0 };
    state.entries.set(id, { print: "", startMs: now, wanted: formats, open });
  }
}
