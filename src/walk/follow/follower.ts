/**
 * The loop of `walkMeetings({ follow })`: reads the history, then polls the list, and asks for what is missing. Events come
 * first. What was found of a meeting is remembered right before its item is yielded, so that no checkpoint is ahead of it.
 */
import { throwIfAborted } from "../../async/abort.js";
import { DAY_MS, pause } from "../../async/timers.js";
import { ApiError } from "../../errors/api-error.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { inOrder } from "../concurrently.js";
import type { WalkedMeeting } from "../fetch-meeting.js";
import { findGone, LIST_START, type MeetingPage, meetingsByIds } from "../meeting-list.js";
import { Period } from "../read-options.js";
import type { MeetingRow } from "../received.js";
import { MAX_EARLIER_IDS } from "../walk-options.js";
import { type FollowState, formatCheckpoint } from "./checkpoint.js";
import { deadlineOf, nextTry, windowStart } from "./entry.js";
import type { FollowPlan } from "./follow-plan.js";
import type { EventInbox } from "./inbox.js";
import { ListReading } from "./list-reading.js";
import { type Look, lookAt, type Occasion } from "./look-at.js";
import { Outages } from "./outages.js";

type Items = AsyncGenerator<WalkedMeeting, void, undefined>;

/** How many meetings are requested by their ids at once. */
const IDS_AT_ONCE = 50;
/** The events that arrive within this time are handled together. */
const EVENT_PAUSE_MS = 1_000;
const FULL_PAGE = 100;
/** After this many, the connection is taken to break at a piece of this meeting, and not in general. */
const MAX_BREAKS = 2;

const isRefusal = (error: unknown) => error instanceof ApiError && (error.status === 400 || error.status === 422);

/** A reading of the whole list. `rest` are the rows of its page that have not been looked at. */
interface Reading {
  readonly list: ListReading;
  readonly startedMs: number;
  /** The ids of the database, for a full reading. */
  readonly known: ReadonlySet<string>;
  page?: MeetingPage | undefined;
  rest: readonly MeetingRow[];
}

export class Follower {
  readonly #plan: FollowPlan;
  readonly #state: FollowState;
  readonly #inbox: EventInbox;
  readonly #signal: AbortSignal;
  readonly #outages: Outages;
  #history: Reading | undefined;
  #full: Reading | undefined;
  #nextPollMs = 0;
  #nextEventMs = 0;
  #isIdle = false;
  /** How often the connection broke at a meeting. */
  readonly #breaks = new Map<string, number>();

  constructor(plan: FollowPlan, inbox: EventInbox, signal: AbortSignal) {
    this.#plan = plan;
    this.#state = plan.state;
    this.#inbox = inbox;
    this.#signal = signal;
    this.#outages = new Outages(plan, signal);
  }

  async *items(): Items {
    for (;;) {
      try {
        throwIfAborted(this.#signal);
        const step = this.#nextStep();
        if (step !== undefined) {
          this.#isIdle = false;
          yield* step;
          this.#outages.end();
          continue;
        }
        if (!this.#isIdle) await this.#plan.onIdle(formatCheckpoint(this.#state));
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
    const untilMs = hasEvent ? this.#nextEventMs : this.#nextPollMs;
    await pause(Math.max(0, untilMs - Date.now()), this.#signal, hasEvent ? undefined : this.#inbox.arrival());
  }

  /** What to do now; `undefined` if the loop has caught up. */
  #nextStep(): Items | undefined {
    const now = Date.now();
    if (this.#hasDueEvent(now)) return this.#eventStep();
    if (this.#state.history !== undefined) return this.#historyStep(this.#state.history);
    if (now >= this.#nextPollMs || this.#nextPollMs > now + 2 * this.#plan.pollMs) return this.#pollStep();
    if (this.#full !== undefined || this.#isFullDue(now)) return this.#fullStep();
    return undefined;
  }

  #hasDueEvent(now: number): boolean {
    const isEarly = now < this.#nextEventMs && this.#nextEventMs <= now + EVENT_PAUSE_MS;
    return this.#inbox.hasEvent && !isEarly;
  }

  #isFullDue(now: number): boolean {
    const { state, readsAll } = this.#plan;
    return readsAll && Math.abs(now - state.readMs) >= DAY_MS;
  }

  /** The meetings that events have named, whatever their dates. Then the list, whatever the events have named. */
  async *#eventStep(): Items {
    const ids = this.#inbox.take();
    this.#nextEventMs = Date.now() + EVENT_PAUSE_MS;
    try {
      for (const id of ids) this.#expect(id);
      yield* this.#lookUp(ids, { event: true });
    } catch (error) {
      this.#inbox.add(ids);
      throw error;
    }
    this.#nextPollMs = 0;
  }

  /** A meeting that an event names is asked for again if the list does not have it yet. */
  #expect(id: string): void {
    const { entries } = this.#state;
    if (entries.has(id)) return;
    const now = Date.now();
    const open = { lacks: [], firstSeenMs: now, completedMs: now, tries: 0, dueMs: now };
    entries.set(id, { print: "", startMs: now, wanted: this.#plan.formats, open });
  }

  async *#lookUp(ids: readonly string[], occasion: Occasion, atOnce = IDS_AT_ONCE): Items {
    for (let start = 0; start < ids.length; start += atOnce) {
      const batch = ids.slice(start, start + atOnce);
      const rows = await this.#rowsOf(batch);
      // If the service refuses one of them, the others are requested without it.
      if (rows === undefined && batch.length > 1) yield* this.#lookUp(batch, occasion, 1);
      else yield* this.#found(batch, rows ?? [], occasion);
    }
  }

  async *#found(ids: readonly string[], rows: readonly MeetingRow[], occasion: Occasion): Items {
    const { period } = this.#plan;
    yield* this.#each(
      rows.filter(({ meeting }) => period.includes(meeting.start_time)),
      occasion,
    );
    const found = new Set<string>(rows.map(({ meeting }) => meeting.id));
    for (const id of ids) if (!found.has(id)) this.#postpone(id);
  }

  /** `undefined` if the service refuses an id. */
  async #rowsOf(ids: readonly string[]): Promise<MeetingRow[] | undefined> {
    try {
      return await meetingsByIds(this.#plan.client, ids, this.#signal);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** The list does not have the meeting: it is asked for again later, or given up. */
  #postpone(id: string): void {
    const { pollMs, settleMs, state } = this.#plan;
    const entry = state.entries.get(id);
    if (entry?.open === undefined) return;
    const now = Date.now();
    const deadlineMs = deadlineOf(entry, entry.open, settleMs);
    if (deadlineMs <= now) {
      state.entries.delete(id);
      return;
    }
    const tries = entry.open.tries + 1;
    const dueMs = nextTry(tries, now, deadlineMs, pollMs, settleMs);
    state.entries.set(id, { ...entry, open: { ...entry.open, tries, dueMs } });
  }

  async *#historyStep(history: NonNullable<FollowState["history"]>): Items {
    const { client, period, onInvalid } = this.#plan;
    const state = this.#state;
    this.#history ??= this.#reading(
      new ListReading(client, period, { place: history, seen: history.seen }, this.#signal),
    );
    const reading = this.#history;
    if (reading.rest.length === 0) {
      reading.page = await this.#historyPage(reading);
      if (reading.page === undefined) {
        state.history = undefined;
        this.#history = undefined;
        state.polledMs = state.beganMs;
        return;
      }
      reading.rest = reading.page.rows;
      for (const row of reading.page.unreadable) await onInvalid(row);
    }
    const { place, next } = reading.page as MeetingPage;
    yield* this.#each(reading.rest, { history: true }, ({ row }) => {
      reading.rest = reading.rest.slice(1);
      const isLast = reading.rest.length === 0;
      const seen = [...(state.history?.seen ?? []), row.meeting.id];
      state.history = { ...(isLast ? next : place), seen: isLast ? seen.slice(-MAX_EARLIER_IDS) : seen };
    });
    if (reading.page?.rows.length === 0) state.history = { ...next, seen: state.history?.seen ?? [] };
  }

  /** If the service does not accept the cursor any more, the history is read from its first page. */
  async #historyPage(reading: Reading): Promise<MeetingPage | undefined> {
    try {
      return await reading.list.next();
    } catch (error) {
      if (!isRefusal(error) || !reading.list.place.cursor) throw error;
      this.#state.history = { ...LIST_START, seen: [] };
      this.#history = this.#reading(new ListReading(this.#plan.client, this.#plan.period, {}, this.#signal));
      return { rows: [], unreadable: [], place: LIST_START, next: LIST_START };
    }
  }

  readonly #reading = (list: ListReading, known: ReadonlySet<string> = new Set()): Reading => ({
    list,
    startedMs: Date.now(),
    known,
    rest: [],
  });

  async *#pollStep(): Items {
    const { client, since, settleMs, pollMs } = this.#plan;
    const state = this.#state;
    const startedMs = Date.now();
    if (state.polledMs > startedMs) this.#makeAllDue(startedMs);
    const fromMs = windowStart(Math.min(startedMs, state.polledMs), settleMs);
    const sinceMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "");
    const period = new Period({ since: sinceMs >= fromMs ? since : new Date(fromMs) });
    const list = new ListReading(client, period, { pageSize: FULL_PAGE }, this.#signal);
    for (let page = await list.next(); page !== undefined; page = await list.next()) yield* this.#each(page.rows, {});

    const now = Date.now();
    const due = [...state.entries].filter(([id, { open }]) => open && open.dueMs <= now && !list.seen.has(id));
    yield* this.#lookUp(
      due.map(([id]) => id),
      {},
    );
    state.polledMs = startedMs;
    this.#outages.polled();
    this.#nextPollMs = startedMs + pollMs * (0.8 + 0.4 * Math.random());
    // A day more than the window: a clock that is set back must not bring back what was forgotten.
    this.#forget(windowStart(startedMs, settleMs) - DAY_MS, list.seen);
  }

  /** The clock was set back: what was due at a later time may never be due. */
  #makeAllDue(now: number): void {
    for (const [id, entry] of this.#state.entries) {
      if (entry.open !== undefined && Number.isFinite(entry.open.dueMs)) {
        this.#state.entries.set(id, { ...entry, open: { ...entry.open, dueMs: now } });
      }
    }
  }

  /** Removes the meetings that the polls do not show any more, and from which nothing is expected. */
  #forget(fromMs: number, listed: ReadonlySet<string>): void {
    for (const [id, { startMs, open }] of this.#state.entries) {
      const isKept = open !== undefined && Number.isFinite(open.dueMs);
      if (startMs < fromMs && !isKept && !listed.has(id)) this.#state.entries.delete(id);
    }
  }

  /** A page of the whole list. Polls and events go before the next page. */
  async *#fullStep(): Items {
    const { client, period, knownIds } = this.#plan;
    this.#full ??= this.#reading(
      new ListReading(client, period, { pageSize: FULL_PAGE }, this.#signal),
      await knownIds(),
    );
    const reading = this.#full;
    if (reading.rest.length === 0) {
      const page = await reading.list.next();
      if (page === undefined) {
        await this.#reportGone(reading);
        this.#state.readMs = reading.startedMs;
        this.#full = undefined;
        return;
      }
      const isNew = ({ meeting: { id } }: MeetingRow) =>
        !this.#state.entries.has(id) && (this.#plan.hasWants || !reading.known.has(id));
      reading.rest = page.rows.filter(isNew);
    }
    yield* this.#each(reading.rest, {}, () => {
      reading.rest = reading.rest.slice(1);
    });
  }

  async #reportGone({ list, known }: Reading): Promise<void> {
    const unseen = [...known].filter((id) => !list.seen.has(id));
    const { gone } = await findGone(this.#plan.client, unseen, list.seen, this.#signal);
    for (const id of gone) {
      this.#state.entries.delete(id);
      await this.#plan.onGone(id);
    }
  }

  /** Looks at rows, at several at once, and yields what is new in their order. `onDone` is called before each item. */
  async *#each(rows: readonly MeetingRow[], occasion: Occasion, onDone: (look: Look) => void = () => {}): Items {
    const look = (row: MeetingRow) => this.#lookAt(row, occasion);
    for await (const { item: row, result } of inOrder(rows, this.#plan.concurrency, look)) {
      if (!occasion.event && this.#hasDueEvent(Date.now())) yield* this.#eventStep();
      const { id } = row.meeting;
      // An event may have been handled since the look began.
      const isCurrent = this.#state.entries.get(id) === result.before;
      const { entry, item } = isCurrent ? result : await look(row);
      const isInWindow = entry.startMs >= windowStart(Math.min(Date.now(), this.#state.polledMs), this.#plan.settleMs);
      if (isInWindow || entry.open !== undefined) this.#state.entries.set(id, entry);
      else this.#state.entries.delete(id);
      onDone(result);
      if (item !== undefined) yield { ...item, checkpoint: formatCheckpoint(this.#state) };
    }
  }

  async #lookAt(row: MeetingRow, occasion: Occasion): Promise<Look> {
    const { id } = row.meeting;
    const breaks = (this.#breaks.get(id) ?? 0) >= MAX_BREAKS;
    try {
      const look = await lookAt(row, this.#state.entries.get(id), { ...occasion, breaks }, this.#lookContext);
      this.#breaks.delete(id);
      return look;
    } catch (error) {
      if (isTemporary(error) && !isRateLimited(error)) this.#breaks.set(id, (this.#breaks.get(id) ?? 0) + 1);
      throw error;
    }
  }

  get #lookContext() {
    const { client, pollMs, settleMs, wantedOf } = this.#plan;
    return { client, pollMs, settleMs, wantedOf, signal: this.#signal };
  }
}
