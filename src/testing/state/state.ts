/** One account: its state as plain data, so that it can be copied, restored and compared, and the parts around it. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingId } from "../../schemas/ids.js";
import type { PlannedFault } from "../http/fault.js";
import { type EmulatorSettings, STEP_TIMES, type StepTimes } from "../options.js";
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
  /** The newest token of the account. */
  token,
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
  /** By their ids, the oldest first. */
  deliveries: new Map<string, Delivery>(),
  /** What exists but cannot be read before its lag ends: the ids of meetings and documents, and {@link contentKey}s. */
  hidden: new Set<string>(),
});

export type CommonState = ReturnType<typeof emptyCommonState>;

/** The state that all accounts have in common, without content. */
export const emptyCommonState = () => ({
  elapsed: 0,
  tasks: [] as Task[],
  /** The account that has or had each token. Requests with a revoked token are refused. */
  tokens: new Map<string, { account: number; isRevoked: boolean }>(),
  /** The simulated failures of requests to any account. */
  faults: [] as PlannedFault[],
  /** By the email address of a user: the ids of the meetings that may be shared with it, by the index of the account. */
  shares: new Map<string, Map<number, Set<string>>>(),
});

/** What all accounts have in common. */
export interface CommonContext {
  /** Replaced by `restore` and `reset`. */
  readonly state: CommonState;
  readonly accounts: readonly EmulatorContext[];
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
}

/** An account, as its routes, lifecycle and seed see it. */
export interface EmulatorContext {
  /** The index of the account among all. */
  readonly index: number;
  /** Replaced by `restore` and `reset`. */
  state: State;
  readonly clock: InternalClock;
  readonly settings: EmulatorSettings;
  readonly deliveries: {
    /** Sends an event to the webhooks that are subscribed to it. */
    emit(kind: KnownEventKind, meeting: MeetingRecord): void;
    /** Starts a delivery that is due. */
    deliver(id: string): void;
  };
  readonly service: CommonContext;
}

/** The key of a part of a meeting that has no id. */
export const contentKey = (part: "transcript" | "recording", meetingId: string) => `${part} of ${meetingId}`;

/** Hides what was made now until the lag ends. */
export function hideForLag({ index, state, clock, settings }: EmulatorContext, key: string): void {
  if (settings.lagMs === 0) return;
  state.hidden.add(key);
  clock.schedule({ at: clock.now() + settings.lagMs, account: index, step: "lag.end", subject: key });
}

/** Schedules the next step of a record, unless the test triggers each step. */
export function scheduleStep(context: EmulatorContext, time: keyof StepTimes, step: TaskStep, subject: string): void {
  const { index, clock, settings } = context;
  if (settings.stepTimes === "manual") return;
  const at = clock.now() + (settings.stepTimes[time] ?? STEP_TIMES[time]);
  clock.schedule({ at, account: index, step, subject });
}
