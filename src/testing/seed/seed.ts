/**
 * The seed: the content with which an emulator starts, written in code or in a JSON file. Its lists are optional.
 * Missing ids are made from the number `random`.
 */
import * as z from "zod/mini";
import { AUTOMATION_MODES, type AutomationMode } from "../../schemas/automation.js";
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { conferenceService } from "../../schemas/conference-link.js";
import { EVENT_KINDS, type EventKind } from "../../schemas/event.js";
import { isSecureUrl } from "../../schemas/http-url.js";
import { idParam } from "../../schemas/ids.js";
import { type KnownMeetingStatus, MEETING_STATUSES } from "../../schemas/meeting.js";
import {
  enumOf,
  integer,
  maxLength,
  nonEmptyArray,
  nonEmptyString,
  nullish,
  numberOf,
  timestamp,
} from "../../schemas/primitives.js";
import { WEBHOOK_URL_MAX } from "../../schemas/webhook.js";
import { closedObject, stringOr } from "../check-value.js";
import type { Block, PersonRecord, RecipientRecord, UserRecord, WireChanges } from "../state/records.js";

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
export interface RoomSeed extends WireChanges {
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
export interface MeetingSeed extends WireChanges {
  /** `mtg_…` */
  id?: string | undefined;
  /** The title, or `null`. */
  title?: string | null | undefined;
  /** The status. Default: `completed`. A status that this library does not know can be set in `extra`. */
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
  /**
   * Changes of the meeting's summary in a room. `extra` and `absent` of the meeting itself apply to the meeting list.
   */
  summary?: WireChanges | undefined;
}

/** A transcript to start with. */
export interface TranscriptSeed extends WireChanges {
  /** Default: `en`. */
  language?: string | undefined;
  /** The speakers. */
  speakers: {
    /** `spk_…` */
    id: string;
    /** The name. */
    name: string;
  }[];
  /** The segments, in chronological order. Each `speaker_id` must be the `id` of a speaker above. */
  segments: {
    /** The `id` of the speaker. */
    speaker_id: string;
    /** Seconds from the start of the meeting. */
    start_time: number;
    /** Seconds from the start of the meeting. */
    end_time: number;
    /** The spoken text. */
    text: string;
  }[];
}

/** A document to start with. */
export interface DocumentSeed extends WireChanges {
  /** `doc_…` */
  id?: string | undefined;
  /** The title. */
  title: string;
  /** A timestamp. Default: the time at the start. */
  created_at?: string | undefined;
  /** The content, from which the five formats are made. */
  blocks: Block[];
  /**
   * Changes of the reference to the document in a meeting or a room. `extra` and `absent` apply to the document itself.
   */
  reference?: WireChanges | undefined;
}

/** A permission to start with. */
export interface PermissionSeed extends WireChanges {
  /** The id. The API specification defines no prefix for it. Default: made from the seed number. */
  id?: string | undefined;
  /** Who has access. */
  recipient: RecipientRecord;
  /** What the recipient may do. */
  role: string;
}

/** A calendar event to start with. */
export interface EventSeed extends WireChanges {
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
export interface WebhookSeed extends WireChanges {
  /** `whk_…` */
  id?: string | undefined;
  /** The URL that events are delivered to. */
  url: string;
  /**
   * The subscribed kinds of event. Default: every kind. A kind that this library does not know can be set in `extra`.
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

const optionalText = z.optional(z.string());
const optionalName = z.optional(nonEmptyString());
const optionalTime = z.optional(timestamp());
const optionalFlag = z.optional(z.boolean());
const optionalList = <T>(item: z.ZodMiniType<T>) => z.optional(z.array(item));
const literal = <T extends string>(value: T) => z.literal(value);

const anyFields = z.record(z.string(), z.unknown());
const changes = { extra: z.optional(anyFields), absent: optionalList(z.string()) };
const wireChanges = z.optional(closedObject<WireChanges>()(changes));

const HEADING_LEVELS = [1, 2, 3] as const;

const blockSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: literal("heading"), level: z.literal(HEADING_LEVELS), text: z.string() }),
    z.strictObject({ type: literal("paragraph"), text: z.string() }),
    z.strictObject({ type: literal("list"), items: z.array(z.string()), ordered: optionalFlag }),
    z.strictObject({ type: literal("table"), rows: z.array(z.array(z.string())) }),
    z.strictObject({ type: literal("other"), json: z.unknown() }),
  ],
  { error: "expected one of heading, paragraph, list, table, other" },
);

/** The schema of a document, alone or in a seed. */
export const documentSchema = closedObject<DocumentSeed>()({
  ...changes,
  id: z.optional(idParam("documentId")),
  title: z.string(),
  created_at: optionalTime,
  blocks: z.array(blockSchema),
  reference: wireChanges,
});

const permissionSchema = closedObject<PermissionSeed>()({
  ...changes,
  id: optionalName,
  recipient: z.looseObject({ type: nonEmptyString() }),
  role: nonEmptyString(),
});

const seconds = numberOf((value) => Number.isFinite(value) && value >= 0, "a number of seconds from 0 up");

const transcriptSchema = closedObject<TranscriptSeed>()({
  ...changes,
  language: optionalName,
  speakers: z.array(z.strictObject({ id: idParam("speakerId"), name: z.string() })),
  segments: z.array(
    z.strictObject({ speaker_id: idParam("speakerId"), start_time: seconds, end_time: seconds, text: z.string() }),
  ),
});

const personSchema = closedObject<PersonRecord>()({
  name: nullish(z.string()),
  email: nullish(z.string()),
  title: nullish(z.string()),
  company: nullish(z.string()),
});

const meetingSchema = closedObject<MeetingSeed>()({
  ...changes,
  id: z.optional(idParam("meetingId")),
  title: nullish(z.string()),
  status: z.optional(enumOf(MEETING_STATUSES)),
  source: optionalName,
  start_time: optionalTime,
  end_time: nullish(timestamp()),
  duration: nullish(integer()),
  created_at: optionalTime,
  owned: optionalFlag,
  host: nullish(z.strictObject({ id: nonEmptyString(), name: z.string(), email: z.string() })),
  participants: optionalList(personSchema),
  documents: optionalList(stringOr(idParam("documentId"), documentSchema)),
  transcript: nullish(transcriptSchema),
  recording: optionalFlag,
  permissions: optionalList(permissionSchema),
  share_url: optionalName,
  summary: wireChanges,
});

const roomSchema = closedObject<RoomSeed>()({
  ...changes,
  id: z.optional(idParam("roomId")),
  title: z.string(),
  created_at: optionalTime,
  updated_at: optionalTime,
  owned: optionalFlag,
  share_url: nullish(nonEmptyString()),
  meetings: optionalList(stringOr(idParam("meetingId"), meetingSchema)),
});

const eventSchema = closedObject<EventSeed>()({
  ...changes,
  id: z.optional(idParam("eventId")),
  title: z.string(),
  start_time: timestamp(),
  end_time: optionalTime,
  meeting_url: maxLength(MEETING_URL_MAX).check(
    z.refine((link) => conferenceService(link) !== undefined, {
      error: "expected a Zoom, Google Meet, Microsoft Teams or Webex join link",
    }),
  ),
  organized: optionalFlag,
  bot: optionalFlag,
});

const webhookSchema = closedObject<WebhookSeed>()({
  ...changes,
  id: z.optional(idParam("webhookId")),
  url: maxLength(WEBHOOK_URL_MAX).check(
    z.refine((url) => isSecureUrl(url), { error: "expected an absolute https: URL (http: for loopback hosts)" }),
  ),
  events: z.optional(nonEmptyArray(enumOf(EVENT_KINDS), "kind of event")),
  enabled: optionalFlag,
  secret: optionalName,
  created_at: optionalTime,
  updated_at: optionalTime,
});

const accountSchema = closedObject<AccountSeed>()({
  user: z.optional(z.strictObject({ id: optionalName, name: optionalText, email: optionalText })),
  automation: z.optional(enumOf(AUTOMATION_MODES)),
  calendarConnected: optionalFlag,
  usageLimitReached: optionalFlag,
});

/** The schema of a seed. `check-seed.ts` checks the references between its parts. */
export const seedSchema = closedObject<Seed>()({
  random: z.optional(integer()),
  now: optionalTime,
  account: z.optional(accountSchema),
  rooms: optionalList(roomSchema),
  meetings: optionalList(meetingSchema),
  documents: optionalList(documentSchema),
  events: optionalList(eventSchema),
  webhooks: optionalList(webhookSchema),
});
