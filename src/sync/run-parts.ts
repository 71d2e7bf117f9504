/** The parts of a run. */
import type { Clock } from "../async/clock.js";
import type { Examiner } from "./examiner.js";
import type { EventInbox } from "./inbox.js";
import type { Outages } from "./outages.js";
import type { RunReport } from "./report.js";
import type { RunRequests } from "./requests.js";
import type { SyncPlan } from "./sync-options.js";
import type { Turns } from "./turns.js";
import type { MeetingWriter } from "./writer.js";

/** What lasts as long as the run. */
export interface RunBasis {
  readonly plan: SyncPlan;
  readonly clock: Clock;
  readonly inbox: EventInbox;
  readonly requests: RunRequests;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

/** What lasts as long as the lock of the store. */
export interface Run extends RunBasis {
  readonly outages: Outages;
  readonly turns: Turns;
  readonly writer: MeetingWriter;
  readonly examiner: Examiner;
}
