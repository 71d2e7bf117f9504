import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingId } from "../../schemas/ids.js";
import type { PlannedFault } from "../http/fault.js";
import type { EmulatorSettings, StepTimes } from "../options.js";
import type { InternalClock } from "./clock.js";
import type {
  AccountRecord,
  BotRecord,
  Delivery,
  DocumentRecord,
  EventRecord,
  MeetingRecord,
  RoomRecord,
  WebhookRecord,
} from "./records.js";

export type State = ReturnType<typeof emptyState>;

/** The state of an account without content. `random` is the state of the random number generator. */
export const emptyState = (random: number, token: string, user: AccountRecord["user"]) => ({
  random,
  token,
  faults: [] as PlannedFault[],
  account: { user, automation: "MANUAL", calendarConnected: true, usageLimitReached: false } as AccountRecord,
  rooms: new Map<string, RoomRecord>(),
  meetings: new Map<string, MeetingRecord>(),
  documents: new Map<string, DocumentRecord>(),
  events: new Map<string, EventRecord>(),
  bots: [] as BotRecord[],
  webhooks: new Map<string, WebhookRecord>(),
  /** The links that were given out. `expiresAt` is in milliseconds since 1970. */
  recordingLinks: new Map<string, { meetingId: MeetingId; expiresAt: number }>(),
  /** The times of the requests that each rate limit counts. */
  counted: {} as Record<string, number[]>,
  deliveries: [] as Delivery[],
});

export interface EmulatorContext {
  /** The index of the account among all. */
  readonly index: number;
  /** Replaced by `reset`. */
  readonly state: State;
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
  emit(kind: KnownEventKind, meeting: MeetingRecord): void;
}

/** Schedules the next step of a record, unless the test triggers each step. */
export function scheduleStep({ clock, settings }: EmulatorContext, time: keyof StepTimes, step: () => unknown): void {
  if (settings.stepTimes === "manual") return;
  clock.schedule(clock.now() + settings.stepTimes[time], step);
}
