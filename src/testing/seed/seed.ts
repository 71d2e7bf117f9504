/**
 * What an emulator starts with, as a user writes it or keeps it in a JSON file. Whatever is left out is filled in; ids
 * that are left out are made from the seed number.
 */
import type { AutomationMode } from "../../schemas/automation.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { Block } from "../state/records.js";

export interface Seed {
  /** The number that made-up ids come from. Default: 1. */
  random?: number;
  account?: AccountSeed;
  rooms?: RoomSeed[];
  meetings?: MeetingSeed[];
  documents?: DocumentSeed[];
  events?: EventSeed[];
  webhooks?: WebhookSeed[];
}

export interface AccountSeed {
  user?: { id?: string; name?: string; email?: string };
  /** Default: `MANUAL`. */
  automation?: AutomationMode;
  /** Default: true. Without a connected calendar, sending a bot is answered 400. */
  calendarConnected?: boolean;
  /** Default: false. With the plan used up, sending a bot is answered 403. */
  usageLimitReached?: boolean;
}

export interface RoomSeed {
  /** `room_…` */
  id?: string;
  title: string;
  /** ISO 8601 with offset. Default: the time at the start. */
  created_at?: string;
  updated_at?: string;
  /** Whether the user owns it, or it was shared with them. Default: true. */
  owned?: boolean;
  /** `null`: the room has none. */
  share_url?: string | null;
  /** Ids of meetings of this seed, or the meetings themselves. */
  meetings?: (string | MeetingSeed)[];
}

export interface MeetingSeed {
  /** `mtg_…` */
  id?: string;
  title?: string | null;
  /** Default: `completed`. */
  status?: "completed" | "processing" | "scheduled" | "failed";
  /** Default: `zoom`. */
  source?: string;
  /** ISO 8601 with offset. Default: a day before the time at the start. */
  start_time?: string;
  end_time?: string | null;
  /** Seconds. Default: that of the transcript. */
  duration?: number | null;
  created_at?: string;
  /** Default: true. */
  owned?: boolean;
  /** Default: the user. */
  host?: { id: string; name: string; email: string } | null;
  participants?: { name?: string | null; email?: string | null; title?: string | null; company?: string | null }[];
  /** Ids of documents of this seed, or the documents themselves. */
  documents?: (string | DocumentSeed)[];
  transcript?: TranscriptSeed | null;
  /** `true`: a short tone. Default: whether there is a transcript. */
  recording?: boolean;
  permissions?: PermissionSeed[];
  share_url?: string;
}

export interface TranscriptSeed {
  /** Default: `en`. */
  language?: string;
  speakers: { id: string; name: string }[];
  /** In order of time; `speaker_id` is that of a speaker above. */
  segments: { speaker_id: string; start_time: number; end_time: number; text: string }[];
}

export interface DocumentSeed {
  /** `doc_…` */
  id?: string;
  title: string;
  created_at?: string;
  /** What the five formats are made from. */
  blocks: Block[];
}

export interface PermissionSeed {
  id?: string;
  recipient: { type: string; [field: string]: unknown };
  role: string;
}

export interface EventSeed {
  /** `evt_…` */
  id?: string;
  title: string;
  /** ISO 8601 with offset. */
  start_time: string;
  end_time?: string;
  /** A link of one of the four conference services. */
  meeting_url: string;
  /** Whether the user organizes it. Default: true. */
  organized?: boolean;
  /** Whether the user has scheduled a bot for it. Default: false; the automation mode may schedule one all the same. */
  bot?: boolean;
}

export interface WebhookSeed {
  /** `whk_…` */
  id?: string;
  url: string;
  /** Default: every kind. */
  events?: KnownEventKind[];
  /** Default: true. */
  enabled?: boolean;
  secret?: string;
  created_at?: string;
  updated_at?: string;
}
