/** Interface, "Resources and their fields": how what the emulator keeps is shown on the wire. */
import type { DocumentReference } from "../../schemas/document.js";
import type { Meeting, MeetingSummary } from "../../schemas/meeting.js";
import type { Permission } from "../../schemas/permission.js";
import type { Room } from "../../schemas/room.js";
import type { CreatedWebhook, Webhook } from "../../schemas/webhook.js";
import type { DocumentRecord, MeetingRecord, PermissionRecord, RoomRecord, WebhookRecord } from "./records.js";
import type { State } from "./state.js";

export const summaryToWire = (meeting: MeetingRecord): MeetingSummary => ({
  id: meeting.id,
  title: meeting.title,
  status: meeting.status,
  source: meeting.source,
  start_time: meeting.start_time,
  duration: meeting.duration,
});

export const meetingToWire = (meeting: MeetingRecord): Meeting => ({
  ...summaryToWire(meeting),
  end_time: meeting.end_time,
  host: meeting.host === null ? null : { ...meeting.host },
  participants: meeting.participants.map((participant) => ({ ...participant })),
  created_at: meeting.created_at,
});

export const referenceToWire = ({ id, title, created_at }: DocumentRecord): DocumentReference => ({
  id,
  title,
  created_at,
});

export const documentsToWire = (state: State, meeting: MeetingRecord): DocumentReference[] =>
  meeting.documents.map((id) => referenceToWire(state.documents.get(id)!));

export function roomToWire(state: State, room: RoomRecord, expand: ReadonlySet<string>): Room {
  const meetings = room.meetings.map((id) => state.meetings.get(id)!);
  return {
    id: room.id,
    title: room.title,
    created_at: room.created_at,
    updated_at: room.updated_at,
    meeting_count: meetings.length,
    ...(room.share_url === null ? {} : { share_url: room.share_url }),
    ...(expand.has("meetings") ? { meetings: meetings.map(summaryToWire) } : {}),
    ...(expand.has("documents") ? { documents: meetings.flatMap((meeting) => documentsToWire(state, meeting)) } : {}),
  };
}

export const permissionToWire = ({ id, recipient, role }: PermissionRecord): Permission => ({ id, recipient, role });

export const webhookToWire = ({ secret: _, ...webhook }: WebhookRecord): Webhook => webhook;

export const createdWebhookToWire = ({ secret, ...webhook }: WebhookRecord): CreatedWebhook => ({ ...webhook, secret });
