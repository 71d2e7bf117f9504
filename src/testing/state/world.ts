/** What the routes and the steps of life work on. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { WireNames } from "../../unshown.js";
import type { InternalClock } from "./clock.js";
import type { MeetingRecord } from "./records.js";
import type { HeldLimits, LifeTimes } from "./settings.js";
import type { State } from "./state.js";

export interface EmulatorContext {
  state: State;
  readonly clock: InternalClock;
  /** Unknown routes, parameters and fields are refused. */
  readonly strict: boolean;
  readonly limits: HeldLimits;
  /** Steps are taken on the clock; with `manual`, only when they are asked for. */
  readonly life: LifeTimes | "manual";
  readonly names: WireNames;
  /** Tells the webhooks. */
  emit(kind: KnownEventKind, meeting: MeetingRecord): void;
  /** Begins the deliveries that have come due. */
  deliverDue(): void;
}
