/** The content with which an emulator starts, in code or JSON. Fields that are not named keep their type. */
import * as z from "zod/mini";
import { formatPath } from "../../checks/format-issues.js";
import { conferenceService } from "../../links/conference-hosts.js";
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { documentFields } from "../../schemas/document.js";
import type { EventKind } from "../../schemas/event.js";
import { idParam } from "../../schemas/id-schemas.js";
import { MEETING_STATUSES, meetingFields, type Participant, participantSchema } from "../../schemas/meeting.js";
import { type PermissionSetParams, permissionSetParams, publicIsReadOnly } from "../../schemas/permission.js";
import {
  custom,
  enumOf,
  type Infer,
  maxLength,
  nonEmptyString,
  nullish,
  requestObject,
  type Schema,
  stringOf,
  timestamp,
} from "../../schemas/primitives.js";
import { roomFields } from "../../schemas/room.js";
import { segmentSchema, speakerSchema, transcriptFields } from "../../schemas/transcript.js";
import { webhookEvents, webhookFields, webhookUrl } from "../../schemas/webhook.js";
import { EXPECTED_LINE, lineParts, type TranscriptLine } from "../content/transcript-lines.js";
import { shapeOf } from "../emulator-error.js";
import { optionalOf } from "../state/fields.js";
import type { Block, UserRecord } from "../state/records.js";

const optionalName = z.optional(nonEmptyString());
const optionalFlag = z.optional(z.boolean());
const seedList = <T>(item: z.ZodMiniType<T>): Schema<T[]> => z.array(item) as z.ZodMiniType as Schema<T[]>;
const optionalList = <T>(item: z.ZodMiniType<T>) => z.optional(seedList(item));

/** The fields of `T`, with ids as any text: a JSON file has no other type for them. */
type Written<T> = { [F in keyof T]: T[F] extends string ? string : T[F] };

/** The schema of an object of the service, in which an unknown field is a mistake. */
const closed = <T>(schema: Schema<T>) => z.strictObject(shapeOf(schema)) as z.ZodMiniType as Schema<Written<T>>;

const blockSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("heading"), level: z.literal([1, 2, 3]), text: z.string() }),
    z.strictObject({ type: z.literal("paragraph"), text: z.string() }),
    z.strictObject({ type: z.literal("list"), items: z.array(z.string()) }),
  ],
  { error: "expected one of heading, paragraph, list" },
) as z.ZodMiniType as Schema<Block>;

const { format: _format, content: _content, ...documentRecordFields } = documentFields;

const documentSeedFields = {
  ...optionalOf(documentRecordFields),
  /** `doc_…` */
  id: z.optional(idParam("documentId")),
  /** The title, as the service wrote it. */
  title: documentFields.title,
  /** The content, from which the five formats are made. */
  blocks: seedList(blockSchema),
};

/** A document to start with. `created_at` is the time at the start by default. */
export interface DocumentSeed extends Infer<typeof documentSeedFields> {}

export const documentSeedSchema = requestObject<DocumentSeed>(documentSeedFields);

const permissionSeedId = {
  /** The id. The API specification defines no prefix for it. Default: a made-up one. */
  id: optionalName,
};

export interface PermissionSeed extends Infer<typeof permissionSeedId>, PermissionSetParams {}

const permissionSeedSchema = requestObject<PermissionSeed>({ ...permissionSeedId, ...permissionSetParams }).check(
  publicIsReadOnly,
);

const { meeting_id: _meetingId, ...spokenFields } = transcriptFields;

const transcriptSeedFields = {
  ...optionalOf(spokenFields),
  /** Default: `en`. */
  language: optionalName,
  /** The lines in order, such as `["Ada: Shall we begin?"]`, instead of `speakers` and `segments`. */
  lines: optionalList(custom<TranscriptLine>((line) => lineParts(line) !== undefined, EXPECTED_LINE)),
  /** The speakers. */
  speakers: optionalList(closed(speakerSchema)),
  /** The segments, in chronological order. Each `speaker_id` must be the `id` of a speaker above. */
  segments: optionalList(closed(segmentSchema)),
};

export interface TranscriptSeed extends Infer<typeof transcriptSeedFields> {}

const transcriptSeedSchema = requestObject<TranscriptSeed>(transcriptSeedFields).check(({ value, issues }) => {
  const { lines, speakers = [], segments = [] } = value;
  const refuse = (message: string, ...path: (string | number)[]) =>
    issues.push({ code: "custom", input: undefined, path, message });
  const isSpoken = value.speakers !== undefined && value.segments !== undefined;
  if ((lines === undefined) !== isSpoken) refuse("expected either lines, or speakers and segments");
  const speakerIds = new Set<string>();
  for (const [index, { id }] of speakers.entries()) {
    if (speakerIds.has(id)) refuse(`${id} is already the id of another speaker`, "speakers", index, "id");
    speakerIds.add(id);
  }
  for (const [index, { speaker_id, start_time, end_time }] of segments.entries()) {
    const path = ["segments", index];
    if (!speakerIds.has(speaker_id)) refuse(`this transcript has no speaker ${speaker_id}`, ...path, "speaker_id");
    if (end_time < start_time) refuse("end_time is earlier than start_time", ...path, "end_time");
    if (start_time < (segments[index - 1]?.start_time ?? 0)) {
      const message = "start_time is earlier than the previous segment's; segments must be in chronological order";
      refuse(message, ...path, "start_time");
    }
  }
});

const userFields = { id: nonEmptyString(), name: z.string(), email: z.string() };

const meetingSeedFields = {
  ...optionalOf(meetingFields),
  /** `mtg_…` */
  id: z.optional(idParam("meetingId")),
  /** The status. Default: `completed`. */
  status: z.optional(enumOf(MEETING_STATUSES)),
  /** A timestamp. Default: `start_time`. */
  created_at: z.optional(timestamp()),
  /** Default: true. */
  owned: optionalFlag,
  /** Default: the user. */
  host: nullish(requestObject<UserRecord>(userFields)),
  /** Missing fields are `null`. */
  participants: optionalList(closed(participantSchema) as Schema<Participant>),
  /** The documents. */
  documents: optionalList(documentSeedSchema),
  /** The transcript, or `null` for none. */
  transcript: nullish(transcriptSeedSchema),
  /** Whether there is a recording, a tone as long as the transcript. Default: true if there is a transcript. */
  recording: optionalFlag,
  /** The permissions. */
  permissions: optionalList(permissionSeedSchema),
  /** The URL under which the meeting is shared. */
  share_url: optionalName,
};

/** By default: from Zoom, begun a day before the start, and if completed, as long as its transcript. */
export interface MeetingSeed extends Infer<typeof meetingSeedFields> {}

const meetingSeedSchema = requestObject<MeetingSeed>(meetingSeedFields);

const { meeting_count: _meetingCount, documents: _documents, ...ownRoomFields } = roomFields;
/** The fields of a room that the emulator keeps. */
export const roomRecordFields = ownRoomFields;

const roomSeedFields = {
  ...optionalOf(roomRecordFields),
  /** `room_…` */
  id: z.optional(idParam("roomId")),
  /** The title. */
  title: roomFields.title,
  /** True if the user owns the room, false if it was shared with the user. Default: true. */
  owned: optionalFlag,
  /** The meetings of the room. */
  meetings: optionalList(meetingSeedSchema),
};

/** A room to start with. By default, it was created at the start, and has a made-up `share_url`; `null` is none. */
export interface RoomSeed extends Infer<typeof roomSeedFields> {}

const eventSeedFields = {
  /** `evt_…` */
  id: z.optional(idParam("eventId")),
  /** The title. */
  title: z.string(),
  /** A timestamp. */
  start_time: timestamp(),
  /** A timestamp. Default: half an hour after the start. */
  end_time: z.optional(timestamp()),
  /** A link of one of the four conference services. */
  meeting_url: maxLength(MEETING_URL_MAX).check(
    z.refine((link) => conferenceService(link) !== undefined, {
      error: "expected a Zoom, Google Meet, Microsoft Teams or Webex join link",
    }),
  ),
  /** True if the user organizes the event. Default: true. */
  organized: optionalFlag,
  /** True if the user has scheduled a bot for the event. Default: false. */
  bot: optionalFlag,
};

export interface EventSeed extends Infer<typeof eventSeedFields> {}

/** With a blank secret, nothing can be signed. */
export const webhookSecret = stringOf((secret) => secret.trim() !== "", "a string that is not blank");

const webhookSeedFields = {
  ...optionalOf(webhookFields),
  /** `whk_…` */
  id: z.optional(idParam("webhookId")),
  /** The URL that events are delivered to. */
  url: webhookUrl,
  /** The subscribed kinds of event. Default: every kind. */
  events: z.optional(webhookEvents as z.ZodMiniType as Schema<readonly EventKind[]>),
  /** The key that deliveries are signed with. Default: a made-up one. */
  secret: z.optional(webhookSecret),
};

/** A webhook subscription to start with. By default, it is enabled, and was created at the start. */
export interface WebhookSeed extends Infer<typeof webhookSeedFields> {}

export const webhookSeedSchema = requestObject<WebhookSeed>(webhookSeedFields);

const accountSettingsFields = {
  /** The user of the account. */
  user: z.optional(requestObject<Partial<UserRecord>>(optionalOf(userFields))),
  /** The automation mode. Default: `MANUAL`. */
  automation: z.optional(enumOf(AUTOMATION_MODES)),
  /** Whether a calendar is connected. If not, a request for a bot gets 400. Default: true. */
  calendarConnected: optionalFlag,
  /** Whether the plan's usage limit is reached. If so, a request for a bot gets 403. Default: false. */
  usageLimitReached: optionalFlag,
};

/** The user and the switches with which an account starts. */
export interface AccountSettingsSeed extends Infer<typeof accountSettingsFields> {}

const seedFields = {
  /** The user and the switches of the account. */
  account: z.optional(requestObject<AccountSettingsSeed>(accountSettingsFields)),
  /** The rooms, with their meetings. */
  rooms: optionalList(requestObject<RoomSeed>(roomSeedFields)),
  /** The meetings that are in no room. */
  meetings: optionalList(meetingSeedSchema),
  /** The upcoming calendar events. */
  events: optionalList(requestObject<EventSeed>(eventSeedFields)),
  /** The webhook subscriptions. */
  webhooks: optionalList(webhookSeedSchema),
};

/** The content with which an emulator starts. */
export interface Seed extends Infer<typeof seedFields> {}

/** The lists of records in a seed, in a room and in a meeting. */
const SEED_LISTS = ["rooms", "meetings", "documents", "permissions", "events", "webhooks"] as const;

type SeedRecord = { [L in (typeof SEED_LISTS)[number]]?: readonly SeedRecord[] | undefined } & {
  id?: string | undefined;
};

/** Every id in `holder`, with the path of its record. */
function* idsIn(
  holder: SeedRecord,
  path: readonly PropertyKey[],
): Generator<[path: PropertyKey[], id: string | undefined]> {
  for (const list of SEED_LISTS) {
    for (const [index, record] of (holder[list] ?? []).entries()) {
      const place = [...path, list, index];
      yield [place, record.id];
      // The `events` of a webhook are kinds of event.
      if (list !== "webhooks") yield* idsIn(record, place);
    }
  }
}

export const seedSchema = requestObject<Seed>(seedFields).check(({ value, issues }) => {
  const places = new Map<string, PropertyKey[]>();
  for (const [place, id] of idsIn(value as SeedRecord, [])) {
    const first = id === undefined ? undefined : places.get(id);
    if (first !== undefined) {
      const message = `${id} is already the id of ${formatPath(first)}`;
      issues.push({ code: "custom", input: id, path: [...place, "id"], message });
    } else if (id !== undefined) places.set(id, place);
  }
});
