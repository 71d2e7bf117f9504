/** Everything the emulator knows, as plain data, so that it can be copied, restored and compared. */
import type { AutomationMode } from "../schemas/automation.js";
import type { KnownEventKind } from "../schemas/event.js";
import type { Segment, Speaker } from "../schemas/transcript.js";
import type { Task } from "./clock.js";
import type { Delivery } from "./delivery.js";
import type { RateWindow } from "./rate-limits.js";

/** A part of a document: what the `json` format holds, and what the others are made of. */
export type Block =
  | { type: "heading"; level: 1 | 2 | 3; text: string }
  | { type: "paragraph"; text: string }
  | { type: "list"; items: string[] };

export interface PersonRecord {
  name: string | null;
  email: string | null;
  title: string | null;
  company: string | null;
}

export interface DocumentRecord {
  id: `doc_${string}`;
  title: string;
  created_at: string;
  blocks: Block[];
}

export interface TranscriptRecord {
  language: string;
  speakers: Speaker[];
  segments: Segment[];
}

export interface PermissionRecord {
  id: string;
  recipient: { type: string; [field: string]: unknown };
  role: string;
}

export interface RecordingRecord {
  contentType: string;
  /** The file as it was uploaded; without it a short tone is served. */
  bytes?: Uint8Array<ArrayBuffer>;
}

export interface MeetingRecord {
  id: `mtg_${string}`;
  title: string | null;
  status: "completed" | "processing" | "scheduled" | "failed";
  source: string;
  start_time: string;
  end_time: string | null;
  /** Seconds. */
  duration: number | null;
  created_at: string;
  /** Whether the user owns it, or it was shared with them. */
  owned: boolean;
  host: { id: string; name: string; email: string } | null;
  participants: PersonRecord[];
  documents: `doc_${string}`[];
  transcript: TranscriptRecord | null;
  recording: RecordingRecord | null;
  permissions: PermissionRecord[];
  share_url: string;
  /** What transcription will find: asked for with the upload. */
  language: string;
  /** Whether the summary was made: that happens once. */
  summarised: boolean;
}

export interface RoomRecord {
  id: `room_${string}`;
  title: string;
  created_at: string;
  updated_at: string;
  owned: boolean;
  share_url: string | null;
  meetings: `mtg_${string}`[];
}

/** A calendar event that a bot can be scheduled for. */
export interface EventRecord {
  id: `evt_${string}`;
  title: string;
  start_time: string;
  end_time: string;
  meeting_url: string;
  /** Whether the user organizes it: what `JOIN_AS_HOST` goes by. */
  organized: boolean;
}

export interface BotRecord {
  /** The meeting it will appear under. */
  meetingId: `mtg_${string}`;
  /** The calendar event it was scheduled for, if any. */
  eventId: `evt_${string}` | null;
  meetingUrl: string;
  /** Two links with the same key lead to the same call. */
  callKey: string;
  /**
   * `scheduling`: asked for; `scheduled`: waits for its event; `joining`: created, its meeting appears; `in_call`: let in;
   * the rest are ends.
   */
  state: "scheduling" | "scheduled" | "joining" | "in_call" | "finished" | "failed" | "cancelled" | "refused";
  /** Scheduled by the automation mode, which may take it back. */
  automatic: boolean;
  /** A cancellation is queued. */
  cancelling: boolean;
}

export interface WebhookRecord {
  id: `whk_${string}`;
  url: string;
  events: KnownEventKind[];
  enabled: boolean;
  created_at: string;
  updated_at: string;
  secret: string;
}

/** What a recording link opens, for as long as it lasts. */
export interface RecordingLinkRecord {
  meetingId: `mtg_${string}`;
  expiresAt: number;
}

/** The account's own switches. A test may set them: the service refuses bots accordingly. */
export interface AccountRecord {
  user: { id: string; name: string; email: string };
  automation: AutomationMode;
  /** Without a connected calendar, sending a bot is answered 400. */
  calendarConnected: boolean;
  /** With the plan used up, sending a bot is answered 403. */
  usageLimitReached: boolean;
}

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
