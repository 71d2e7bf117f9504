/** Fills an account from a seed. */

import { DAY_MS, MINUTE_MS } from "../../async/timers.js";
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { type DocumentId, ID_PREFIXES, type MeetingId } from "../../schemas/ids.js";
import { applyAutomation, scheduleBot } from "../lifecycle/calendar.js";
import { beginProcessing, newMeeting, shareUrl, UNKNOWN_PERSON } from "../lifecycle/meetings.js";
import type { EmulatorContext } from "../state/context.js";
import { newId, newWebhookSecret, type RandomState } from "../state/random.js";
import type { DocumentRecord, TranscriptRecord, WireChanges } from "../state/records.js";
import type { AccountSeed, DocumentSeed, EventSeed, MeetingSeed, RoomSeed, Seed, WebhookSeed } from "./seed.js";

/** The length of a calendar event without an end. */
const EVENT_MS = 30 * MINUTE_MS;

/** The id in the seed, or a new one. A seed is checked before it is applied, so the prefix is correct. */
const idOr = <P extends string>(state: RandomState, prefix: P, id: string | undefined) =>
  (id ?? newId(state, prefix)) as `${P}${string}`;

export function applySeed(context: EmulatorContext, seed: Seed): void {
  const { automation = "MANUAL" } = applyAccount(context, seed.account ?? {});
  for (const document of seed.documents ?? []) newDocument(context, document);
  for (const meeting of seed.meetings ?? []) applyMeeting(context, meeting);
  for (const room of seed.rooms ?? []) applyRoom(context, room);
  for (const webhook of seed.webhooks ?? []) applyWebhook(context, webhook);
  for (const event of seed.events ?? []) applyEvent(context, event);
  applyAutomation(context, automation);
}

function applyAccount({ state: { account } }: EmulatorContext, seed: AccountSeed): AccountSeed {
  const { user = {}, calendarConnected, usageLimitReached } = seed;
  account.user = {
    id: user.id ?? account.user.id,
    name: user.name ?? account.user.name,
    email: user.email ?? account.user.email,
  };
  account.calendarConnected = calendarConnected ?? account.calendarConnected;
  account.usageLimitReached = usageLimitReached ?? account.usageLimitReached;
  return seed;
}

function applyRoom(context: EmulatorContext, room: RoomSeed): void {
  const { state, clock } = context;
  const id = idOr(state, ID_PREFIXES.roomId, room.id);
  const created_at = room.created_at ?? clock.timestamp();
  state.rooms.set(id, {
    id,
    title: room.title,
    created_at,
    updated_at: room.updated_at ?? created_at,
    owned: room.owned ?? true,
    share_url: room.share_url === undefined ? shareUrl("r", id) : room.share_url,
    meetings: (room.meetings ?? []).map((meeting) =>
      typeof meeting === "string" ? (meeting as MeetingId) : applyMeeting(context, meeting),
    ),
    ...changesOf(room),
  });
}

function applyWebhook({ state, clock }: EmulatorContext, webhook: WebhookSeed): void {
  const id = idOr(state, ID_PREFIXES.webhookId, webhook.id);
  const created_at = webhook.created_at ?? clock.timestamp();
  state.webhooks.set(id, {
    id,
    url: webhook.url,
    events: [...((webhook.events as KnownEventKind[] | undefined) ?? EVENT_KINDS)],
    enabled: webhook.enabled ?? true,
    created_at,
    updated_at: webhook.updated_at ?? created_at,
    secret: webhook.secret ?? newWebhookSecret(state),
    ...changesOf(webhook),
  });
}

function applyEvent(context: EmulatorContext, event: EventSeed): void {
  const { title, start_time, meeting_url, organized = true, bot = false } = event;
  const id = idOr(context.state, ID_PREFIXES.eventId, event.id);
  const end_time = event.end_time ?? new Date(Date.parse(start_time) + EVENT_MS).toISOString();
  const record = { id, title, start_time, end_time, meeting_url, organized, ...changesOf(event) };
  context.state.events.set(id, record);
  if (bot) scheduleBot(context, record, false);
}

/** Adds a document, which no meeting refers to yet. */
export function newDocument({ state, clock }: EmulatorContext, document: DocumentSeed): DocumentRecord {
  const id = idOr(state, ID_PREFIXES.documentId, document.id);
  const record: DocumentRecord = {
    id,
    title: document.title,
    created_at: document.created_at ?? clock.timestamp(),
    blocks: structuredClone(document.blocks),
    ...(document.reference === undefined ? {} : { reference: structuredClone(document.reference) }),
    ...changesOf(document),
  };
  state.documents.set(id, record);
  return record;
}

function applyMeeting(context: EmulatorContext, seed: MeetingSeed): MeetingId {
  const { state, clock } = context;
  const { documents = [], permissions = [], recording, owned = true, summary } = seed;
  const transcript = transcriptOf(seed);
  const status = seed.status ?? "completed";
  const start_time = seed.start_time ?? clock.timestamp(-DAY_MS);
  const duration = seed.duration === undefined ? defaultDuration(status, transcript) : seed.duration;
  const meeting = newMeeting(context, {
    id: idOr(state, ID_PREFIXES.meetingId, seed.id),
    title: seed.title ?? null,
    status,
    source: seed.source ?? "zoom",
    start_time,
    end_time: seed.end_time === undefined ? endOf(start_time, duration) : seed.end_time,
    duration,
    created_at: seed.created_at ?? start_time,
    owned,
    // The seed of a completed meeting decides whether it has a summary. None is made later.
    summarised: status === "completed",
    documents: documents.map((document) =>
      typeof document === "string" ? (document as DocumentId) : newDocument(context, document).id,
    ),
    transcript,
    recording: (recording ?? transcript !== null) ? { contentType: "audio/wav" } : null,
    permissions: permissions.map(({ id, recipient, role, ...changes }) => ({
      id: idOr(state, "perm_", id),
      recipient: structuredClone(recipient),
      role,
      ...changesOf(changes),
    })),
    language: transcript?.language ?? "en",
    ...(seed.host === undefined ? {} : { host: seed.host }),
    ...(seed.share_url === undefined ? {} : { share_url: seed.share_url }),
    ...(seed.participants && {
      participants: seed.participants.map((person) => ({ ...UNKNOWN_PERSON, ...defined(person) })),
    }),
    ...(summary && { summary: structuredClone(summary) }),
    ...changesOf(seed),
  });
  if (status === "processing") beginProcessing(context, meeting);
  return meeting.id;
}

/** The fields that are not `undefined`. */
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

function transcriptOf({ transcript }: MeetingSeed): TranscriptRecord | null {
  if (transcript == null) return null;
  return structuredClone({ ...transcript, language: transcript.language ?? "en" }) as TranscriptRecord;
}

function defaultDuration(status: string, transcript: TranscriptRecord | null): number | null {
  return status === "completed" ? Math.ceil(transcript?.segments.at(-1)?.end_time ?? 0) : null;
}

const endOf = (start_time: string, duration: number | null): string | null =>
  duration === null ? null : new Date(Date.parse(start_time) + duration * 1000).toISOString();

/** The changes of the JSON, if the seed has any. */
const changesOf = ({ extra, absent }: WireChanges): WireChanges => structuredClone(defined({ extra, absent }));
