/** What the routes, the lifecycle and the controls of one account work on. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { DocumentTitles, WireNames } from "../../unshown.js";
import type { InternalClock } from "./clock.js";
import type { Dialect } from "./dialect.js";
import type { MeetingRecord } from "./records.js";
import type { HeldLimits, LifeTimes } from "./settings.js";
import type { State } from "./state.js";

/** Receives the events of the account. */
export interface EventSink {
  /** Sends an event to the webhooks that are subscribed to it. */
  emit(kind: KnownEventKind, meeting: MeetingRecord): void;
  /** Starts the deliveries that are due. */
  deliverDue(): void;
}

/** The settings of an emulator: the same for each of its accounts. */
export interface EmulatorSettings {
  /** True if unknown routes, parameters and fields are refused. */
  readonly strict: boolean;
  readonly limits: HeldLimits;
  /** With `manual`, bots and meetings move only when a test says so. */
  readonly life: LifeTimes | "manual";
  readonly names: WireNames;
  /** What the titles of generated documents contain. */
  readonly titles: DocumentTitles;
  readonly dialect: Dialect;
}

export interface EmulatorContext {
  /** Replaced by `restore` and `reset`. */
  state: State;
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
  readonly events: EventSink;
  /** Every account of the emulator, this one included: meetings can be shared between them. */
  readonly accounts: readonly EmulatorContext[];
}
