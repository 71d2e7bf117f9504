/** The state of one account as plain data, so that it can be copied, restored and compared. */
import type { MeetingId } from "../../schemas/ids.js";
import type { PlannedFault } from "../http/fault.js";
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

/** A link to a recording, with the time at which it expires. */
export interface RecordingLinkRecord {
  meetingId: MeetingId;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A rate-limit window starts with its first request. */
export interface RateWindow {
  startedAt: number;
  count: number;
}

/** A step of a bot or a meeting, or a retry of a delivery, that is due at a time. */
export interface Task {
  /** Milliseconds since 1970. */
  at: number;
  step: TaskStep;
  /** The id of the record. */
  subject: string;
}

export type TaskStep =
  | "bot.create"
  | "bot.admit"
  | "bot.leave"
  | "bot.cancel"
  | "event.start"
  | "meeting.transcribe"
  | "meeting.summarise"
  | "delivery.retry";

export interface State {
  /** The state of the random number generator. */
  random: number;
  /** By how many milliseconds the clock was advanced. */
  elapsed: number;
  tasks: Task[];
  /** The tokens of the account, the newest last. Requests with a revoked token are refused. */
  tokens: { value: string; revoked: boolean }[];
  /** The simulated failures of the account's requests. */
  faults: PlannedFault[];
  account: AccountRecord;
  rooms: Map<string, RoomRecord>;
  meetings: Map<string, MeetingRecord>;
  documents: Map<string, DocumentRecord>;
  events: Map<string, EventRecord>;
  bots: BotRecord[];
  webhooks: Map<string, WebhookRecord>;
  recordingLinks: Map<string, RecordingLinkRecord>;
  windows: Record<string, RateWindow>;
  deliveries: Delivery[];
}

/** The state of an account without content. */
export const emptyState = (random: number, token: string, user: AccountRecord["user"]): State => ({
  random,
  elapsed: 0,
  tasks: [],
  tokens: [{ value: token, revoked: false }],
  faults: [],
  account: { user: { ...user }, automation: "MANUAL", calendarConnected: true, usageLimitReached: false },
  rooms: new Map(),
  meetings: new Map(),
  documents: new Map(),
  events: new Map(),
  bots: [],
  webhooks: new Map(),
  recordingLinks: new Map(),
  windows: {},
  deliveries: [],
});
