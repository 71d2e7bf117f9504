/** The records that the emulator keeps: plain data, so that they can be copied, restored and compared. */
import type { AutomationMode } from "../../schemas/automation.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { DocumentId, EventId, MeetingId, RoomId, WebhookId } from "../../schemas/ids.js";
import type { Segment, Speaker } from "../../schemas/transcript.js";

/** A block of a document: the `json` format contains the blocks as they are, the other formats are made from them. */
export type Block =
  | { type: "heading"; level: 1 | 2 | 3; text: string }
  | { type: "paragraph"; text: string }
  | { type: "list"; items: string[]; ordered?: boolean }
  /** The first row is the header. */
  | { type: "table"; rows: string[][] }
  /**
   * A block of another kind: `json` is sent in the `json` format, and its strings are the text of the other formats.
   */
  | { type: "other"; json: unknown };

/** How the JSON of a record differs from what the emulator would send, for services that send more or less. */
export interface WireChanges {
  /** Further fields, as they are. They replace the emulator's fields of the same name. */
  extra?: Record<string, unknown> | undefined;
  /** Fields that are left out. */
  absent?: readonly string[] | undefined;
}

export interface PersonRecord {
  name: string | null;
  email: string | null;
  title: string | null;
  company: string | null;
}

export interface DocumentRecord extends WireChanges {
  id: DocumentId;
  title: string;
  created_at: string;
  blocks: Block[];
  /** Changes of the reference in a meeting or a room; `extra` and `absent` are those of the document itself. */
  reference?: WireChanges | undefined;
}

export interface TranscriptRecord extends WireChanges {
  language: string;
  speakers: Speaker[];
  segments: Segment[];
}

export interface PermissionRecord extends WireChanges {
  id: string;
  recipient: { type: string; [field: string]: unknown };
  role: string;
}

export interface RecordingRecord {
  contentType: string;
  /** The uploaded file; without it a short tone is served. */
  bytes?: Uint8Array<ArrayBuffer>;
}

export interface MeetingRecord extends WireChanges {
  id: MeetingId;
  title: string | null;
  status: "completed" | "processing" | "scheduled" | "failed" | (string & {});
  source: string;
  start_time: string;
  end_time: string | null;
  /** Seconds. */
  duration: number | null;
  created_at: string;
  /** True if the user owns the meeting, false if it was shared with the user. */
  owned: boolean;
  host: { id: string; name: string; email: string } | null;
  participants: PersonRecord[];
  documents: DocumentId[];
  transcript: TranscriptRecord | null;
  recording: RecordingRecord | null;
  permissions: PermissionRecord[];
  share_url: string;
  /** The language of the transcript to come: the upload's `language`. */
  language: string;
  /** True once the initial summary was made; it is made once. */
  summarised: boolean;
  /** Changes of the summary form in a room; `extra` and `absent` are those of the meeting list. */
  summary?: WireChanges | undefined;
}

export interface RoomRecord extends WireChanges {
  id: RoomId;
  title: string;
  created_at: string;
  updated_at: string;
  owned: boolean;
  share_url: string | null;
  meetings: MeetingId[];
}

/** A calendar event that a bot can be scheduled for. */
export interface EventRecord extends WireChanges {
  id: EventId;
  title: string;
  start_time: string;
  end_time: string;
  meeting_url: string;
  /** True if the user organizes the event: `JOIN_AS_HOST` joins only these. */
  organized: boolean;
}

/** A bot, as the emulator keeps it. */
export interface BotRecord {
  /** The meeting that the bot will record. */
  meetingId: MeetingId;
  /** The calendar event that the bot was scheduled for, or `null`. */
  eventId: EventId | null;
  meetingUrl: string;
  /** Two links with the same key lead to the same call. */
  callKey: string;
  /**
   * `scheduling`: requested; `scheduled`: waits for its event; `joining`: created, its meeting appears; `in_call`: in
   * the call. The other states are final.
   */
  state: "scheduling" | "scheduled" | "joining" | "in_call" | "finished" | "failed" | "cancelled" | "refused";
  /** True if the automation mode scheduled the bot; it may then cancel it. */
  automatic: boolean;
  /** True while a cancellation is queued. */
  cancelling: boolean;
}

export interface WebhookRecord extends WireChanges {
  id: WebhookId;
  url: string;
  events: KnownEventKind[];
  enabled: boolean;
  created_at: string;
  updated_at: string;
  secret: string;
}

/** The recording that a link opens until it expires. */
export interface RecordingLinkRecord {
  meetingId: MeetingId;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The account's switches. A test may set them, and the service then refuses bots. */
export interface AccountRecord {
  user: { id: string; name: string; email: string };
  automation: AutomationMode;
  /** Without a connected calendar, sending a bot is answered with 400. */
  calendarConnected: boolean;
  /** If the plan is used up, sending a bot is answered with 403. */
  usageLimitReached: boolean;
}

/** One attempt to deliver an event to a webhook. */
export interface DeliveryAttempt {
  /** The emulator's time, in milliseconds since 1970. */
  at: number;
  /** The receiver's status code. */
  status?: number;
  /** Why there was no response. */
  error?: string;
}

/** One webhook delivery: its content and its attempts. */
export interface Delivery {
  id: string;
  webhookId: string;
  url: string;
  event: KnownEventKind;
  meetingId: string;
  /** The body, byte for byte as it is signed. */
  body: string;
  /** The headers of the last attempt, with the signature. A skipped delivery has them, too. */
  headers: Record<string, string>;
  /**
   * `pending`: an attempt is due or in flight; `held`: waits for `release`; `delivered`: answered with 2xx; `failed`:
   * out of retries; `skipped`: the emulator does not call its URL.
   */
  state: "pending" | "held" | "delivered" | "failed" | "skipped";
  attempts: DeliveryAttempt[];
  /** When the next attempt is due, in milliseconds since 1970. */
  dueAt: number | null;
  /** The attempts that count against the retries; a redelivery starts at 0 again. */
  tries: number;
  /** Corrupts the next attempt. */
  corrupt: "body" | "signature" | null;
}

/** A rate-limit window starts with its first request. */
export interface RateWindow {
  startedAt: number;
  count: number;
}

/** A step in the life of a record, to be taken at a time. */
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
