/** What the routes and the steps of life work on. */
import type { KnownEventKind } from "../schemas/event.js";
import type { WireNames } from "../unshown.js";
import type { InternalClock } from "./clock.js";
import type { HeldLimits } from "./rate-limits.js";
import type { MeetingRecord, State } from "./state.js";

/** How long each step takes on the emulator's clock, in milliseconds. */
export interface LifeTimes {
  /** From the request for a bot until the bot is created and its meeting appears. */
  createMs: number;
  /** From there until the bot is let into the call. */
  admitMs: number;
  /** How long a call lasts. */
  callMs: number;
  /** From the end of the call, or from the upload, until the transcript is ready. */
  transcribeMs: number;
  /** From there until the initial summary is ready. */
  summariseMs: number;
  /** From the request to cancel a bot until it is cancelled. */
  cancelMs: number;
}

export interface World {
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
