/**
 * The seed: the content with which an emulator starts, written in code or in a JSON file. Its lists are optional.
 * Missing ids are made from the number `random`.
 */
import type { AutomationMode } from "../../schemas/automation.js";
import type { EventKind } from "../../schemas/event.js";
import type { KnownMeetingStatus } from "../../schemas/meeting.js";
import type { Permission } from "../../schemas/permission.js";
import type { Segment, Speaker } from "../../schemas/transcript.js";
import type { DocumentRecord, PersonRecord, UserRecord } from "../state/records.js";

/** The content with which an emulator starts. */
export interface Seed {
  /** The number that determines generated ids. Default: 1. */
  random?: number | undefined;
  /** The time at the start, unless the emulator's `now` says otherwise. */
  now?: string | undefined;
  /** The user and the switches of the account. */
  account?: AccountSeed | undefined;
  /** The rooms. Each has its meetings, or their ids. */
  rooms?: RoomSeed[] | undefined;
  /** The meetings that are in no room, or that a room names by their id. */
  meetings?: MeetingSeed[] | undefined;
  /** The documents that meetings name by their id. */
  documents?: DocumentSeed[] | undefined;
  /** The upcoming calendar events. */
  events?: EventSeed[] | undefined;
  /** The webhook subscriptions. */
  webhooks?: WebhookSeed[] | undefined;
}

/** The user and the switches with which an account starts. */
export interface AccountSeed {
  /** The user of the account. A permission for the user's `email` shares a meeting with this account. */
  user?: Partial<UserRecord> | undefined;
  /** The automation mode. Default: `MANUAL`. */
  automation?: AutomationMode | undefined;
  /** Whether a calendar is connected. If not, a request for a bot gets 400. Default: true. */
  calendarConnected?: boolean | undefined;
  /** Whether the plan's usage limit is reached. If so, a request for a bot gets 403. Default: false. */
  usageLimitReached?: boolean | undefined;
}

/** A room to start with. */
export interface RoomSeed {
  /** `room_…` */
  id?: string | undefined;
  /** The title. */
  title: string;
  /** A timestamp. Default: the time at the start. */
  created_at?: string | undefined;
  /** A timestamp. Default: `created_at`. */
  updated_at?: string | undefined;
  /** True if the user owns the room, false if it was shared with the user. Default: true. */
  owned?: boolean | undefined;
  /** The URL under which the room is shared, or `null` for none. Default: a made-up URL. */
  share_url?: string | null | undefined;
  /** Ids of meetings in this seed, or the meetings themselves. */
  meetings?: (string | MeetingSeed)[] | undefined;
}

/** A meeting to start with. */
export interface MeetingSeed {
  /** `mtg_…` */
  id?: string | undefined;
  /** The title, or `null`. */
  title?: string | null | undefined;
  /** The status. Default: `completed`. */
  status?: KnownMeetingStatus | undefined;
  /** The conference service, or `upload`. Default: `zoom`. */
  source?: string | undefined;
  /** A timestamp. Default: a day before the time at the start. */
  start_time?: string | undefined;
  /** A timestamp, or `null`. Default: `start_time` plus `duration`, or `null` without a duration. */
  end_time?: string | null | undefined;
  /**
   * Seconds, or `null`. Default for a completed meeting: the end of the transcript, or 0 without one. Otherwise `null`.
   */
  duration?: number | null | undefined;
  /** A timestamp. Default: `start_time`. */
  created_at?: string | undefined;
  /** Default: true. */
  owned?: boolean | undefined;
  /** Default: the user. */
  host?: UserRecord | null | undefined;
  /** The participants. Missing fields are `null`. */
  participants?: Partial<PersonRecord>[] | undefined;
  /** Ids of documents in this seed, or the documents themselves. */
  documents?: (string | DocumentSeed)[] | undefined;
  /** The transcript, or `null` for none. */
  transcript?: TranscriptSeed | null | undefined;
  /** Whether the meeting has a recording, which is a short tone. Default: true if there is a transcript. */
  recording?: boolean | undefined;
  /** The permissions of the meeting. */
  permissions?: PermissionSeed[] | undefined;
  /** The URL under which the meeting is shared. */
  share_url?: string | undefined;
}

/** The fields of `T`, with ids as any text: a JSON file has no other type for them. */
type Written<T> = { [F in keyof T]: T[F] extends string ? string : T[F] };

/** A transcript to start with. */
export interface TranscriptSeed {
  /** Default: `en`. */
  language?: string | undefined;
  /** The speakers. */
  speakers: Written<Speaker>[];
  /** The segments, in chronological order. Each `speaker_id` must be the `id` of a speaker above. */
  segments: Written<Segment>[];
}

/** A document to start with. */
export interface DocumentSeed extends Pick<DocumentRecord, "title" | "blocks"> {
  /** `doc_…` */
  id?: string | undefined;
  /** A timestamp. Default: the time at the start. */
  created_at?: string | undefined;
}

/** A permission to start with. */
export interface PermissionSeed extends Pick<Permission, "recipient" | "role"> {
  /** The id. The API specification defines no prefix for it. Default: made from the seed number. */
  id?: string | undefined;
}

/** A calendar event to start with. */
export interface EventSeed {
  /** `evt_…` */
  id?: string | undefined;
  /** The title. */
  title: string;
  /** A timestamp. */
  start_time: string;
  /** A timestamp. Default: half an hour after the start. */
  end_time?: string | undefined;
  /** A link of one of the four conference services. */
  meeting_url: string;
  /** True if the user organizes the event. Default: true. */
  organized?: boolean | undefined;
  /**
   * True if the user has scheduled a bot for the event. Default: false. The automation mode may schedule a bot anyway.
   */
  bot?: boolean | undefined;
}

/** A webhook subscription to start with. */
export interface WebhookSeed {
  /** `whk_…` */
  id?: string | undefined;
  /** The URL that events are delivered to. */
  url: string;
  /**
   * The subscribed kinds of event. Default: every kind.
   */
  events?: EventKind[] | undefined;
  /** Default: true. */
  enabled?: boolean | undefined;
  /** The key that deliveries are signed with. Default: made from the seed number. */
  secret?: string | undefined;
  /** A timestamp. Default: the time at the start. */
  created_at?: string | undefined;
  /** A timestamp. Default: `created_at`. */
  updated_at?: string | undefined;
}
