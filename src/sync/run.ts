import type { Clock } from "../async/clock.js";
import type { Terms } from "./examine.js";
import type { EventInbox } from "./inbox.js";
import type { RequestPage } from "./meeting-list.js";
import type { PacedClient } from "./paced-client.js";
import type { RunReport } from "./report.js";
import type { SyncPlan } from "./sync-options.js";
import type { StoreAccess } from "./write.js";

/** What lasts as long as a run. */
export interface Run {
  readonly plan: SyncPlan;
  readonly terms: Terms;
  readonly clock: Clock;
  readonly inbox: EventInbox;
  readonly client: PacedClient;
  readonly requestPage: RequestPage;
  readonly report: RunReport;
  readonly store: StoreAccess;
  readonly signal: AbortSignal;
}
