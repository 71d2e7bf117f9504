import type { Clock } from "../async/clock.js";
import type { Inbox } from "./inbox.js";
import type { ListPages, RequestPage } from "./meeting-list.js";
import type { SyncState } from "./memory.js";
import type { PacedClient } from "./paced-client.js";
import type { Pauses } from "./pauses.js";
import type { RunReport } from "./report.js";
import type { SyncPlan } from "./sync-options.js";
import type { StoreAccess } from "./write.js";

/** What lasts as long as a call of `syncMeetings`. */
export interface Call {
  readonly plan: SyncPlan;
  readonly clock: Clock;
  /** Of kinds of requests, of readings of the list, and of meetings by their ids. */
  readonly pauses: Pauses;
  readonly client: PacedClient;
  readonly requestPage: RequestPage;
  readonly report: RunReport;
  readonly store: StoreAccess;
  readonly signal: AbortSignal;
  readonly inbox: Inbox;
}

/** The whole state of the loop, as long as it holds the store. */
export interface Run extends Call {
  /** What the store remembers of the account. */
  state: SyncState;
  /** When it was written last, by the clock. */
  savedAt: number;
  /** When the next poll begins, by the clock. */
  pollAt: number;
  /** The readings of the list that are under way: a poll of the newest meetings, and a full pass. */
  poll?: ListPages | undefined;
  pass?: ListPages | undefined;
  /** Meetings to request by their ids: their row may be older than what is stored, or another run has written them. */
  readonly again: Set<string>;
  /** How many ids are requested at once: fewer after a failure. */
  idsAtOnce: number;
  /** The ids that the latest pass has shown; `undefined`: not all of them are known. */
  seen?: ReadonlySet<string> | undefined;
}
