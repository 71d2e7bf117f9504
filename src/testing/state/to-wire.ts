/** Makes the JSON of each record (API specification, "Resources and their fields"). */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Room } from "../../schemas/room.js";
import type {
  DocumentRecord,
  EventRecord,
  MeetingRecord,
  PermissionRecord,
  RoomRecord,
  TranscriptRecord,
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

const summaryFields = (meeting: MeetingRecord) =>
  pick(meeting, "id", "title", "status", "source", "start_time", "duration");

/** The summary of a meeting, which a room embeds. */
export const summaryToWire = (meeting: MeetingRecord) => withChanges(summaryFields(meeting), meeting.summary);

/** The row in the meeting list, with the expansions of the request. */
export const meetingToWire = (meeting: MeetingRecord, expansions: object = {}) =>
  withChanges(
    { ...summaryFields(meeting), ...pick(meeting, "end_time", "host", "participants", "created_at"), ...expansions },
    meeting,
  );

/** The reference to a document, in a meeting or a room. */
export const referenceToWire = (document: DocumentRecord) =>
  withChanges(pick(document, "id", "title", "created_at"), document.reference);

/** The references to a meeting's documents. */
export const documentsToWire = (state: State, { documents }: MeetingRecord) =>
  documents.map((id) => referenceToWire(state.documents.get(id) as DocumentRecord));

/** The document in one of its formats. */
export const documentToWire = (document: DocumentRecord, format: DocumentFormat, content: unknown) =>
  withChanges({ ...pick(document, "id", "title"), format, content, created_at: document.created_at }, document);

/** The room, with the expansions of the request. */
export const roomToWire = (room: RoomRecord, meeting_count: number, expansions: Partial<Room> = {}) =>
  withChanges(
    {
      ...pick(room, "id", "title", "created_at", "updated_at"),
      meeting_count,
      ...(room.share_url !== null && { share_url: room.share_url }),
      ...expansions,
    },
    room,
  );

export const transcriptToWire = (meeting_id: string, transcript: TranscriptRecord) =>
  withChanges({ meeting_id, ...pick(transcript, "language", "speakers", "segments") }, transcript);

export const permissionToWire = (permission: PermissionRecord) =>
  withChanges(pick(permission, "id", "recipient", "role"), permission);

export const webhookToWire = (webhook: WebhookRecord) =>
  withChanges(pick(webhook, "id", "url", "events", "enabled", "created_at", "updated_at"), webhook);

export const eventToWire = (event: EventRecord, bot_scheduled: boolean | undefined) =>
  withChanges({ ...pick(event, "id", "title", "start_time", "end_time", "meeting_url"), bot_scheduled }, event);
