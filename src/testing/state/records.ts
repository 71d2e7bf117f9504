/** The records that the emulator keeps: plain data, so that it can be copied, restored and compared. */
import type { AutomationMode } from "../../schemas/automation.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { Segment, Speaker } from "../../schemas/transcript.js";

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

export interface DeliveryAttempt {
  /** The emulator's time, in milliseconds since 1970. */
  at: number;
  /** What the receiver answered. */
  status?: number;
  /** Why there was no answer. */
  error?: string;
}

export interface Delivery {
  id: string;
  webhookId: string;
  url: string;
  event: KnownEventKind;
  meetingId: string;
  /** The body, byte for byte as it is signed. */
  body: string;
  /** The headers of the last attempt, with the signature; also where none was made because the delivery is skipped. */
  headers: Record<string, string>;
  /**
   * `pending`: an attempt is due, or under way; `held`: waits for `release`; `delivered`: answered 2xx; `failed`: given up;
   * `skipped`: its address is none that the emulator calls.
   */
  state: "pending" | "held" | "delivered" | "failed" | "skipped";
  attempts: DeliveryAttempt[];
  /** When the next attempt is due, or the one under way was. */
  dueAt: number | null;
  /** How many attempts count against the retries; a redelivery starts again. */
  tries: number;
  /** Spoils the next attempt. */
  corrupt: "body" | "signature" | null;
}

/** A window starts with the first request in it and ends `perMs` later. */
export interface RateWindow {
  startedAt: number;
  count: number;
}

/** A step in the life of something, to be taken at a time. */
export interface Task {
  /** Milliseconds since 1970. */
  at: number;
  step: TaskStep;
  /** What it is done to. */
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
