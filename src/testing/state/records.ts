import type { OwnBytes } from "../../json/own-bytes.js";
import type { AutomationMode } from "../../schemas/automation.js";
import type { Document } from "../../schemas/document.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { DocumentId, EventId, MeetingId } from "../../schemas/ids.js";
import type { Meeting, meetingExpansions, Participant } from "../../schemas/meeting.js";
import type { Permission } from "../../schemas/permission.js";
import type { Room, roomExpansions } from "../../schemas/room.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { CreatedWebhook } from "../../schemas/webhook.js";

/** A block of a document: the format `json` has the blocks as they are, the others are made from them. */
export type Block =
  | {
      /** A heading. */
      type: "heading";
      /** 1 for the largest. */
      level: 1 | 2 | 3;
      /** Its text. */
      text: string;
    }
  | {
      /** A paragraph. */
      type: "paragraph";
      /** Its text. */
      text: string;
    }
  | {
      /** A list. */
      type: "list";
      /** The text of each item. */
      items: string[];
    };

/** A user in the emulator. */
export interface UserRecord {
  /** The user's id, `usr_…`. */
  id: string;
  /** The name. */
  name: string;
  /** The email address. */
  email: string;
}

/** Each field is present, and `null` if the service may leave it out. */
type Present<T> = { [F in keyof T]-?: Exclude<T[F], undefined> };

export type PersonRecord = MeetingRecord["participants"][number];

/** A document in the emulator. */
export interface DocumentRecord extends Omit<Document, "format" | "content"> {
  /** The content, from which the five formats are made. */
  blocks: Block[];
}

export type TranscriptRecord = NonNullable<MeetingRecord["transcript"]>;

export type RecordingRecord = NonNullable<MeetingRecord["recording"]>;

/** The fields of a meeting that the emulator keeps in another form. */
type OwnFields = "created_at" | "host" | "participants" | keyof typeof meetingExpansions;

/** A meeting in the emulator. */
export interface MeetingRecord extends Omit<Present<Meeting>, OwnFields> {
  /** An ISO 8601 timestamp. */
  created_at: string;
  /** True if the user owns the meeting, false if it was shared with the user. */
  owned: boolean;
  /** The host of the meeting, or `null`. */
  host: UserRecord | null;
  /** Who takes part. */
  participants: Present<Participant>[];
  /** The ids of its documents. */
  documents: DocumentId[];
  /** The transcript, or `null` while there is none. */
  transcript: Omit<Transcript, "meeting_id"> | null;
  /** The recording, or `null` while there is none. */
  recording: {
    /** The media type. */
    contentType: string;
    /** The uploaded file. Without it, a tone as long as the transcript is served. */
    bytes?: OwnBytes;
  } | null;
  /** Who may see the meeting. */
  permissions: Permission[];
  /** The URL under which the meeting is shared. */
  share_url: string;
  /** The language for the transcript, once it is made: the `language` of the upload. */
  language: string;
  /** True once the initial summary was made. It is made at most once. */
  summarised: boolean;
}

export interface RoomRecord extends Omit<Present<Room>, "meeting_count" | keyof typeof roomExpansions> {
  owned: boolean;
  meetings: MeetingId[];
}

/** A calendar event that a bot can be scheduled for. */
export interface EventRecord {
  id: EventId;
  title: string;
  start_time: string;
  end_time: string;
  meeting_url: string;
  /** True if the user organizes the event: `JOIN_AS_HOST` joins only these. */
  organized: boolean;
}

/** A bot in the emulator. */
export interface BotRecord {
  /** The meeting that the bot will record. */
  meetingId: MeetingId;
  /** The calendar event that the bot was scheduled for, or `null`. */
  eventId: EventId | null;
  /** The join link. */
  meetingUrl: string;
  /** `scheduled`: waits for its event. `joining`: its meeting exists. States after `in_call` are final. */
  state: "scheduling" | "scheduled" | "joining" | "in_call" | "finished" | "failed" | "cancelled" | "refused";
  /** True if the automation mode scheduled the bot, and may cancel it. */
  automatic: boolean;
  /** True while a cancellation is queued. */
  cancelling: boolean;
}

/** A webhook subscription in the emulator. */
export interface WebhookRecord extends CreatedWebhook {
  /** The kinds of event that are delivered. */
  events: KnownEventKind[];
}

/** The user and the switches of an account. */
export interface AccountRecord {
  /** The user of the account. */
  user: UserRecord;
  /** The automation mode. */
  automation: AutomationMode;
  /** Whether a calendar is connected. If not, a request for a bot gets 400. */
  calendarConnected: boolean;
  /** Whether the plan's usage limit is reached. If so, a request for a bot gets 403. */
  usageLimitReached: boolean;
}

/** One attempt to deliver an event to a webhook. */
export interface DeliveryAttempt {
  /** The emulator's time, in milliseconds since 1970. */
  at: number;
  /** The status of the receiver's response; absent without a response. */
  status?: number;
  /** Why there was no response. */
  error?: string;
}

/** One webhook delivery: its content and its attempts. */
export interface Delivery {
  /** The id of the delivery. */
  id: string;
  /** The webhook, `whk_…`. */
  webhookId: string;
  /** The URL to which it is sent. */
  url: string;
  /** The kind of event. */
  kind: KnownEventKind;
  /** The meeting, `mtg_…`. */
  meetingId: string;
  /** The body, byte for byte as it is signed. */
  body: string;
  /** The headers of the last attempt, with the signature. A skipped delivery also has them. */
  headers: Record<string, string>;
  /**
   * `pending`: an attempt waits or is in flight. `delivered`: the receiver responded with 2xx. `failed`: no retries are
   * left. `skipped`: the URL is of another machine. `lost`: by a plan of the test.
   */
  state: "pending" | "delivered" | "failed" | "skipped" | "lost";
  /** The attempts so far, the oldest first. */
  attempts: DeliveryAttempt[];
  /** When the next attempt is due, in milliseconds since 1970. */
  dueAt: number | null;
  /** Corrupts the next attempt. */
  corrupt: "body" | "signature" | null;
}
