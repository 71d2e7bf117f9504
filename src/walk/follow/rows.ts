/**
 * Looks at rows of the meeting list, several at once, and yields what is new of their meetings. What was found of a
 * meeting is remembered right before its item is yielded, so that no checkpoint is ahead of it.
 */
import { isRefusal } from "../../errors/is-refusal.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { inOrder } from "../../sync/concurrently.js";
import { meetingsByIds } from "../../sync/meeting-list.js";
import type { MeetingRow } from "../../sync/received.js";
import type { WalkedMeeting } from "../fetch-meeting.js";
import { formatCheckpoint } from "./checkpoint.js";
import type { Entry } from "./entry.js";
import type { FollowPlan } from "./follow-plan.js";
import { type Look, lookAt, type Occasion } from "./look-at.js";
import { deadlineOf, memoryStart, triedAgain } from "./when-to-ask.js";

export type Items = AsyncGenerator<WalkedMeeting, void, undefined>;

/** How many meetings are requested by their ids at once. */
const IDS_AT_ONCE = 50;
/** After this many, the connection is taken to break at a piece of this meeting, and not in general. */
const MAX_BREAKS = 2;

export class Rows {
  readonly #plan: FollowPlan;
  readonly #dueEvents: () => Items | undefined;
  /** How often the connection broke at a meeting. */
  readonly #breaks = new Map<string, number>();

  /** `dueEvents` are handled between two rows. */
  constructor(plan: FollowPlan, dueEvents: () => Items | undefined) {
    this.#plan = plan;
    this.#dueEvents = dueEvents;
  }

  /** Yields what is new in the order of the rows. `onDone` is called before each item. */
  async *each(rows: readonly MeetingRow[], occasion: Occasion, onDone: (row: MeetingRow) => void = () => {}): Items {
    const { state, concurrency, settleMs } = this.#plan;
    const look = (row: MeetingRow) => this.#lookAt(row, occasion);
    for await (const { item: row, result } of inOrder(rows, concurrency, look)) {
      const events = occasion.event ? undefined : this.#dueEvents();
      if (events !== undefined) yield* events;
      const { id } = row.meeting;
      // An event may have been handled since the look began.
      const isCurrent = state.entries.get(id) === result.before;
      const { entry, item } = isCurrent ? result : await look(row);
      const isRecent = entry.startMs >= memoryStart(Math.min(Date.now(), state.polledMs), settleMs);
      if (isRecent || entry.open !== undefined) state.entries.set(id, entry);
      else state.entries.delete(id);
      onDone(row);
      if (item !== undefined) yield { ...item, checkpoint: formatCheckpoint(state) };
    }
  }

  /** Looks at the meetings with these ids. Those that the list does not have are asked for again later. */
  async *withIds(ids: readonly string[], occasion: Occasion, atOnce = IDS_AT_ONCE): Items {
    for (let start = 0; start < ids.length; start += atOnce) {
      const batch = ids.slice(start, start + atOnce);
      const rows = await this.#request(batch);
      // If the service refuses one of them, the others are requested without it.
      if (rows === undefined && batch.length > 1) yield* this.withIds(batch, occasion, 1);
      else yield* this.#found(batch, rows ?? [], occasion);
    }
  }

  /** `undefined` if the service refuses an id. */
  async #request(ids: readonly string[]): Promise<MeetingRow[] | undefined> {
    try {
      return await meetingsByIds(this.#plan.client, ids, this.#plan.signal);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  async *#found(ids: readonly string[], rows: readonly MeetingRow[], occasion: Occasion): Items {
    const { period } = this.#plan;
    const wanted = rows.filter(({ meeting }) => period.includes(meeting.start_time));
    yield* this.each(wanted, occasion);
    const found = new Set<string>(rows.map(({ meeting }) => meeting.id));
    for (const id of ids) if (!found.has(id)) this.#postpone(id);
  }

  /** The list does not have the meeting: it is asked for again later, or given up. */
  #postpone(id: string): void {
    const { state } = this.#plan;
    const entry = state.entries.get(id);
    if (entry?.open === undefined) return;
    const now = Date.now();
    const { startMs, open } = entry;
    if (deadlineOf(startMs, open, this.#plan) <= now) state.entries.delete(id);
    else state.entries.set(id, { ...entry, open: triedAgain(startMs, open, now, this.#plan) });
  }

  async #lookAt(row: MeetingRow, occasion: Occasion): Promise<Look & { readonly before: Entry | undefined }> {
    const { id } = row.meeting;
    const before = this.#plan.state.entries.get(id);
    const breaks = (this.#breaks.get(id) ?? 0) >= MAX_BREAKS;
    try {
      const look = await lookAt(row, before, { ...occasion, breaks }, this.#plan);
      this.#breaks.delete(id);
      return { ...look, before };
    } catch (error) {
      if (isTemporary(error) && !isRateLimited(error)) this.#breaks.set(id, (this.#breaks.get(id) ?? 0) + 1);
      throw error;
    }
  }
}
