/** Makes the JSON of each record (API specification, "Resources and their fields"). */
import type { DocumentReference } from "../../schemas/document.js";
import type { Meeting, MeetingSummary } from "../../schemas/meeting.js";
import type { Permission } from "../../schemas/permission.js";
import type { Room } from "../../schemas/room.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { CreatedWebhook, Webhook } from "../../schemas/webhook.js";
import type {
  DocumentRecord,
  EventRecord,
  MeetingRecord,
  PermissionRecord,
  RoomRecord,
  WebhookRecord,
  WireChanges,
} from "./records.js";
import type { State } from "./state.js";

/** `value` with the `extra` and `absent` of its record applied. */
export function withChanges<T extends object>(value: T, changes: WireChanges | undefined): T {
  if (changes?.extra === undefined && changes?.absent === undefined) return value;
  const changed: Record<string, unknown> = { ...value, ...changes.extra };
  for (const field of changes.absent ?? []) delete changed[field];
  return changed as T;
}

const summaryFields = ({ id, title, status, source, start_time, duration }: MeetingRecord): MeetingSummary => ({
  id,
  title,
  status,
  source,
  start_time,
  duration,
});

/** The summary of a meeting, which a room embeds. */
export const summaryToWire = (meeting: MeetingRecord): MeetingSummary =>
  withChanges(summaryFields(meeting), meeting.summary);

/** The row in the meeting list. It has `documents` if they were expanded. */
export const meetingToWire = (meeting: MeetingRecord, documents?: DocumentReference[]): Meeting =>
  withChanges(
    {
      ...summaryFields(meeting),
      end_time: meeting.end_time,
      host: meeting.host === null ? null : { ...meeting.host },
      participants: meeting.participants.map((participant) => ({ ...participant })),
      created_at: meeting.created_at,
      ...(documents === undefined ? {} : { documents }),
    },
    meeting,
  );

export const referenceToWire = ({ id, title, created_at, reference }: DocumentRecord): DocumentReference =>
  withChanges({ id, title, created_at }, reference);

/** The references to a meeting's documents. */
export const documentsToWire = (state: State, meeting: MeetingRecord): DocumentReference[] =>
  meeting.documents.flatMap((id) => {
    const document = state.documents.get(id);
    return document === undefined ? [] : [referenceToWire(document)];
  });

export function roomToWire(state: State, room: RoomRecord, expand: ReadonlySet<string>): Room {
  const meetings = room.meetings.flatMap((id) => state.meetings.get(id) ?? []);
  const wire = {
    id: room.id,
    title: room.title,
    created_at: room.created_at,
    updated_at: room.updated_at,
    meeting_count: meetings.length,
    ...(room.share_url === null ? {} : { share_url: room.share_url }),
    ...(expand.has("meetings") ? { meetings: meetings.map(summaryToWire) } : {}),
    ...(expand.has("documents") ? { documents: meetings.flatMap((meeting) => documentsToWire(state, meeting)) } : {}),
  };
  return withChanges(wire, room);
}

/** The transcript of a meeting, or `undefined` if it is not ready. */
export function transcriptToWire({ id, transcript }: MeetingRecord): Transcript | undefined {
  if (transcript === null) return undefined;
  const { language, speakers, segments } = transcript;
  return withChanges({ meeting_id: id, language, speakers, segments }, transcript);
}

export const permissionToWire = ({ id, recipient, role, ...changes }: PermissionRecord): Permission =>
  withChanges({ id, recipient, role }, changes);

export const webhookToWire = ({ secret: _, extra, absent, ...webhook }: WebhookRecord): Webhook =>
  withChanges(webhook, { extra, absent });

/** The webhook with its secret, for the response to its creation only. */
export const createdWebhookToWire = (webhook: WebhookRecord): CreatedWebhook => ({
  ...webhookToWire(webhook),
  secret: webhook.secret,
});

export const eventToWire = (event: EventRecord, botScheduled: boolean) =>
  withChanges(
    {
      id: event.id,
      title: event.title,
      start_time: event.start_time,
      end_time: event.end_time,
      meeting_url: event.meeting_url,
      bot_scheduled: botScheduled,
    },
    event,
  );
