import { DAY_MS } from "../../async/timers.js";
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { ID_PREFIXES, type MeetingId } from "../../schemas/ids.js";
import { spoken } from "../content/transcript-lines.js";
import { applyAutomation, bookBot } from "../lifecycle/calendar.js";
import {
  beginProcessing,
  newMeeting,
  secondsAfter,
  shareUrl,
  spokenSeconds,
  UNKNOWN_PERSON,
} from "../lifecycle/meeting-processing.js";
import { emptyRecord } from "../state/fields.js";
import { newId, newWebhookSecret, PERMISSION_PREFIX, type RandomState } from "../state/random.js";
import type { DocumentRecord, TranscriptRecord, WebhookRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import {
  type DocumentSeed,
  type EventSeed,
  type MeetingSeed,
  type RoomSeed,
  roomRecordFields,
  type Seed,
  type TranscriptSeed,
  type WebhookSeed,
} from "./seed.js";

/** The length of a calendar event without an end. */
const EVENT_SECONDS = 30 * 60;

/** The id in the seed, or a new one. A seed is checked before it is applied, so the prefix is correct. */
const givenOrNewId = <P extends string>(state: RandomState, prefix: P, id: string | undefined) =>
  (id ?? newId(state, prefix)) as `${P}${string}`;

/** `T` without the fields that are `undefined`. */
type Defined<T> = T extends string ? T : { [F in keyof T]: Defined<Exclude<T[F], undefined>> };

/** A copy as a JSON file would have it: the records are changed later, the seed is not. */
export const copyOf = <T>(seed: T) => JSON.parse(JSON.stringify(seed)) as Defined<T>;

export function applySeed(context: EmulatorContext, seed: Seed): void {
  const { account = {}, meetings = [], rooms = [], webhooks = [], events = [] } = copyOf(seed);
  const { user, automation = "MANUAL", ...switches } = account;
  Object.assign(context.state.account, switches);
  Object.assign(context.state.account.user, user);
  for (const meeting of meetings) applyMeeting(context, meeting);
  for (const room of rooms) applyRoom(context, room);
  for (const webhook of webhooks) newWebhook(context, webhook);
  for (const event of events) applyEvent(context, event);
  applyAutomation(context, automation);
}

function applyRoom(context: EmulatorContext, { id: givenId, meetings = [], ...room }: Defined<RoomSeed>): void {
  const { state, clock } = context;
  const id = givenOrNewId(state, ID_PREFIXES.roomId, givenId);
  const created_at = room.created_at ?? clock.timestamp();
  state.rooms.set(id, {
    ...emptyRecord(roomRecordFields),
    ...{ id, created_at, updated_at: created_at, owned: true, share_url: shareUrl("r", id) },
    ...room,
    meetings: meetings.map((meeting) => applyMeeting(context, meeting)),
  });
}

export function newWebhook(
  { state, clock }: EmulatorContext,
  { id, events = [...EVENT_KINDS], ...fields }: Defined<WebhookSeed>,
): WebhookRecord {
  const created_at = fields.created_at ?? clock.timestamp();
  const webhook = {
    ...{ id: givenOrNewId(state, ID_PREFIXES.webhookId, id), enabled: true, created_at, updated_at: created_at },
    ...fields,
    events: events as KnownEventKind[],
    secret: fields.secret ?? newWebhookSecret(state),
  };
  state.webhooks.set(webhook.id, webhook);
  return webhook;
}

function applyEvent(context: EmulatorContext, { id: givenId, bot = false, ...event }: Defined<EventSeed>): void {
  const id = givenOrNewId(context.state, ID_PREFIXES.eventId, givenId);
  const end_time = secondsAfter(event.start_time, EVENT_SECONDS);
  const record = { id, end_time, organized: true, ...event };
  context.state.events.set(id, record);
  if (bot) bookBot(context, record, false);
}

export function newDocument({ state, clock }: EmulatorContext, document: Defined<DocumentSeed>): DocumentRecord {
  const { id: givenId, ...fields } = document;
  const id = givenOrNewId(state, ID_PREFIXES.documentId, givenId);
  const record = { id, created_at: clock.timestamp(), ...fields };
  state.documents.set(id, record);
  return record;
}

function transcriptOf(seed: Defined<TranscriptSeed> | null | undefined): TranscriptRecord | null {
  if (seed == null) return null;
  const { lines, language = "en", ...fields } = seed;
  return { ...fields, ...(lines && spoken(lines)), language } as TranscriptRecord;
}

function applyMeeting(context: EmulatorContext, seed: Defined<MeetingSeed>): MeetingId {
  const { state, clock } = context;
  const { id, documents = [], permissions = [], participants, recording, transcript: given, ...fields } = seed;
  const { status = "completed", start_time = clock.timestamp(-DAY_MS) } = fields;
  const transcript = transcriptOf(given);
  const { duration = status === "completed" ? spokenSeconds(transcript) : null } = fields;
  const { end_time = duration === null ? null : secondsAfter(start_time, duration) } = fields;
  const meeting = newMeeting(context, {
    ...{ source: "zoom", created_at: start_time },
    ...fields,
    id: givenOrNewId(state, ID_PREFIXES.meetingId, id),
    status,
    start_time,
    end_time,
    duration,
    // The seed of a completed meeting decides whether it has a summary. None is made later.
    summarised: status === "completed",
    documents: documents.map((document) => newDocument(context, document).id),
    transcript,
    recording: (recording ?? transcript !== null) ? { contentType: "audio/wav" } : null,
    permissions: permissions.map(({ id, ...permission }) => ({
      id: givenOrNewId(state, PERMISSION_PREFIX, id),
      ...permission,
    })),
    language: transcript?.language ?? "en",
    ...(participants && { participants: participants.map((person) => ({ ...UNKNOWN_PERSON, ...person })) }),
  });
  if (status === "processing") beginProcessing(context, meeting);
  return meeting.id;
}
