import type { MeetingWriter } from "../store/writer.js";
import type { Outages } from "./outages.js";
import type { RunBasis } from "./run-basis.js";
import type { Turns } from "./turns.js";

/** What lasts as long as the lock of the store. */
export interface Run extends RunBasis {
  readonly outages: Outages;
  readonly turns: Turns;
  readonly writer: MeetingWriter;
}
