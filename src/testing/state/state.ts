/** Everything the emulator knows, as plain data, so that it can be copied, restored and compared. */
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
  random: number;
  /** Milliseconds that the clock was moved by. */
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

/** A state in which nothing has happened. */
export const emptyState = (random: number): State => ({
  random,
  elapsed: 0,
  tasks: [],
  account: {
    user: { id: "usr_ada", name: "Ada Okafor", email: "ada@lovelace.example" },
    automation: "MANUAL",
    calendarConnected: true,
    usageLimitReached: false,
  },
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
