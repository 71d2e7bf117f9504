/** The state of one account as plain data, so that it can be copied, restored and compared. */
import type {
  AccountRecord,
  BotRecord,
  Delivery,
  DocumentRecord,
  EventRecord,
  MeetingRecord,
  RateWindow,
  RecordingLinkRecord,
  RoomRecord,
  Task,
  WebhookRecord,
} from "./records.js";

export interface State {
  /** The state of the random number generator. */
  random: number;
  /** By how many milliseconds the clock was advanced. */
  elapsed: number;
  tasks: Task[];
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
export const emptyState = (random: number, user: AccountRecord["user"]): State => ({
  random,
  elapsed: 0,
  tasks: [],
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
