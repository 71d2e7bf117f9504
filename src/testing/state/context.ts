/** The parts of an account that routes, lifecycle and controls use. */

import type { KnownEventKind } from "../../schemas/event.js";
import type { EmulatorSettings, LifeTimes } from "../options.js";
import type { InternalClock } from "./clock.js";
import type { MeetingRecord } from "./records.js";
import type { State, TaskStep } from "./state.js";

/** Delivers the events of the account. */
export interface EventSink {
  /** Sends an event to the webhooks that are subscribed to it. */
  emit(kind: KnownEventKind, meeting: MeetingRecord): void;
  /** Starts the deliveries that are due. */
  deliverDue(): void;
}

export interface EmulatorContext {
  /** Replaced by `restore` and `reset`. */
  state: State;
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
  readonly events: EventSink;
  /** All accounts of the emulator, including this one, because accounts can share meetings. */
  readonly accounts: readonly EmulatorContext[];
}

/** Schedules the next step of a record. With `life: "manual"` it does nothing, because the test triggers each step. */
export function scheduleStep(context: EmulatorContext, time: keyof LifeTimes, step: TaskStep, id: string): void {
  const { life } = context.settings;
  if (life !== "manual") context.clock.schedule(life[time], step, id);
}
