/** Makes the JSON of each record (API specification, "Resources and their fields"). */
import type { DocumentFormat, DocumentReference } from "../../schemas/document.js";
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
function withChanges<T extends object>(value: T, changes: WireChanges | undefined): T {
  if (changes?.extra === undefined && changes?.absent === undefined) return value;
  const changed: Record<string, unknown> = { ...value, ...changes.extra };
  for (const field of changes.absent ?? []) delete changed[field];
  return changed as T;
}

/** These fields of a record, in this order. */
const pick = <T, K extends keyof T>(record: T, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;

const summaryFields = (meeting: MeetingRecord): MeetingSummary =>
  pick(meeting, "id", "title", "status", "source", "start_time", "duration");

/** The summary of a meeting, which a room embeds. */
export const summaryToWire = (meeting: MeetingRecord): MeetingSummary =>
  withChanges(summaryFields(meeting), meeting.summary);

/** The row in the meeting list. It has `documents` if they were expanded. */
export const meetingToWire = (meeting: MeetingRecord, documents?: DocumentReference[]): Meeting =>
  withChanges(
    {
      ...summaryFields(meeting),
      ...pick(meeting, "end_time", "host", "participants", "created_at"),
      ...(documents === undefined ? {} : { documents }),
    },
    meeting,
  );

export const referenceToWire = (document: DocumentRecord): DocumentReference =>
  withChanges(pick(document, "id", "title", "created_at"), document.reference);

/** The document in one of its formats. */
export const documentToWire = (document: DocumentRecord, format: DocumentFormat, content: unknown) =>
  withChanges({ ...pick(document, "id", "title"), format, content, created_at: document.created_at }, document);

/** The references to a meeting's documents. */
export const documentsToWire = (state: State, meeting: MeetingRecord): DocumentReference[] =>
  meeting.documents.flatMap((id) => {
    const document = state.documents.get(id);
    return document === undefined ? [] : [referenceToWire(document)];
  });

/** The room, with the expansions of the request. */
export const roomToWire = (room: RoomRecord, meeting_count: number, expansions: Partial<Room> = {}): Room =>
  withChanges(
    {
      ...pick(room, "id", "title", "created_at", "updated_at"),
      meeting_count,
      ...(room.share_url === null ? {} : { share_url: room.share_url }),
      ...expansions,
    },
    room,
  );

/** The transcript of a meeting, or `undefined` if it is not ready. */
export function transcriptToWire({ id, transcript }: MeetingRecord): Transcript | undefined {
  if (transcript === null) return undefined;
  return withChanges({ meeting_id: id, ...pick(transcript, "language", "speakers", "segments") }, transcript);
}

export const permissionToWire = (permission: PermissionRecord): Permission =>
  withChanges(pick(permission, "id", "recipient", "role"), permission);

export const webhookToWire = (webhook: WebhookRecord): Webhook =>
  withChanges(pick(webhook, "id", "url", "events", "enabled", "created_at", "updated_at"), webhook);

/** The webhook with its secret, for the response to its creation only. */
export const createdWebhookToWire = (webhook: WebhookRecord): CreatedWebhook => ({
  ...webhookToWire(webhook),
  secret: webhook.secret,
});

export const eventToWire = (event: EventRecord, botScheduled: boolean) =>
  withChanges(
    { ...pick(event, "id", "title", "start_time", "end_time", "meeting_url"), bot_scheduled: botScheduled },
    event,
  );
