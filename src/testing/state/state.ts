/** One account: its state as plain data, so that it can be copied, restored and compared, and the parts around it. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingId } from "../../schemas/ids.js";
import type { PlannedFault } from "../http/fault.js";
import { type EmulatorSettings, LIFE_TIMES, type LifeTimes } from "../options.js";
import type { InternalClock, Task, TaskStep } from "./clock.js";
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
  /** By how many milliseconds the clock was advanced. */
  elapsed: 0,
  tasks: [] as Task[],
  /** The tokens of the account, the newest last. Requests with a revoked token are refused. */
  tokens: [{ value: token, revoked: false }],
  /** The simulated failures of the account's requests. */
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
  /** What exists but cannot be read before its lag ends: the ids of meetings and documents, and {@link contentKey}s. */
  hidden: new Set<string>(),
});

/** The parts of an account that routes, lifecycle and controls use. */
export interface EmulatorContext {
  /** Replaced by `restore` and `reset`. */
  state: State;
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
  readonly deliveries: {
    /** Sends an event to the webhooks that are subscribed to it. */
    emit(kind: KnownEventKind, meeting: MeetingRecord): void;
    /** Starts the deliveries that are due. */
    deliverDue(): void;
  };
  /** All accounts of the emulator, including this one, because accounts can share meetings. */
  readonly accounts: readonly EmulatorContext[];
}

/** The key of a part of a meeting that has no id. */
export const contentKey = (part: "transcript" | "recording", meetingId: string) => `${part} of ${meetingId}`;

/** Hides what was made now until the lag ends. */
export function hideForLag({ state, clock, settings }: EmulatorContext, key: string): void {
  if (settings.lagMs === 0) return;
  state.hidden.add(key);
  clock.schedule(settings.lagMs, "lag.end", key);
}

/** Schedules the next step of a record. With `life: "manual"` it does nothing, because the test triggers each step. */
export function scheduleStep(context: EmulatorContext, time: keyof LifeTimes, step: TaskStep, id: string): void {
  const { life } = context.settings;
  if (life !== "manual") context.clock.schedule(life[time] ?? LIFE_TIMES[time], step, id);
}
