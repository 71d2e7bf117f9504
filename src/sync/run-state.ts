import type { Inbox } from "./inbox.js";
import type { ListPages, RequestPage } from "./meeting-list.js";
import { formatState, type Known, type LaneFailure, type SyncState } from "./memory.js";
import type { PacedClient } from "./paced-client.js";
import type { RunContext } from "./report.js";
import type { MeetingRow } from "./rows.js";
import type { StoreAccess } from "./write.js";

/** What lasts as long as a call of `syncMeetings`. */
export interface Call extends RunContext {
  readonly client: PacedClient;
  readonly requestPage: RequestPage;
  readonly store: StoreAccess;
  readonly inbox: Inbox;
}

/** Rows of the list that are still to be examined. */
export interface Rows {
  rows: readonly MeetingRow[];
  /** An event or the caller has named the meetings. */
  readonly isNamed?: boolean;
  /** When the page of the rows was requested. */
  requestedMs?: number;
  /** What was remembered before they were requested by their ids. */
  readonly before?: ReadonlyMap<string, Known>;
  /** Meetings without news count as read, too. */
  readonly countsAll?: boolean;
}

/** A reading of the list: a poll of the newest meetings, or a full pass. */
export interface Reading extends Rows {
  readonly pages: ListPages;
}

/** The whole state of the loop, as long as it holds the store. */
export interface Run extends Call {
  /** What the store remembers of the account. */
  state: SyncState;
  /** When it was written last, by the clock. */
  savedAt: number;
  /** When the next poll begins, by the clock. */
  pollAt: number;
  /** The readings that are under way. A pass stays after its last page, for the search of what is gone. */
  poll?: Reading | undefined;
  pass?: Reading | undefined;
  /** Meetings to request by their ids: their row may be older than what is stored, or another run has written them. */
  readonly again: Set<string>;
  /** How many ids are requested at once: fewer after a failure. */
  idsAtOnce: number;
}

export function change(run: Run, changes: Partial<SyncState>): void {
  run.state = { ...run.state, ...changes };
}

/** `nextAt`: when there is something to do again; by default now. */
export async function save(run: Run, nextAt = new Date()): Promise<void> {
  const { polledMs, failures = {} } = run.state;
  const beganMs = (failure: LaneFailure) => failure.sinceMs ?? Number.POSITIVE_INFINITY;
  const [first] = Object.values(failures)
    .flatMap((failure) => failure ?? [])
    .sort((left, right) => (beganMs(left) < beganMs(right) ? -1 : 1));
  const date = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
  const health = { polledAt: date(polledMs), failingSince: date(first?.sinceMs), error: first?.error };
  await run.store.save({ state: formatState(run.state), nextAt, health });
  run.savedAt = run.clock.now();
}
