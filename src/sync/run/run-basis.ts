import type { Clock } from "../../async/clock.js";
import type { SyncPlan } from "../sync-options.js";
import type { EventInbox } from "./inbox.js";
import type { RunReport } from "./report.js";
import type { RunRequests } from "./requests.js";

/** What lasts as long as the run. */
export interface RunBasis {
  readonly plan: SyncPlan;
  readonly clock: Clock;
  readonly inbox: EventInbox;
  readonly requests: RunRequests;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}
