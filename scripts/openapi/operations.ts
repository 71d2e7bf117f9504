/** The operations of the document. Each has its route, its schemas, and a function that calls it. */
import type { Notetaker } from "notetaker-sdk";
import type { Emulator } from "notetaker-sdk/testing";
import type { RouteName } from "../../src/testing/routes/route-names.js";
import type { ComponentName, QueryName } from "./service-schemas.js";

/** The emulator and the ids that the example calls use. */
export interface ExampleAccount {
  service: Emulator;
  meetingId: string;
  documentId: string;
  eventId: string;
}

export interface OperationSource {
  /** The name of the operation, which is that of the client's method. */
  name: string;
  route: RouteName;
  query?: { type: QueryName; names: "rooms" | "permissions" | "documents" | "meetings" | "none" };
  body?: ComponentName;
  /** The schema of a successful response. `[]` after the name means a bare array. */
  answer?: ComponentName | `${ComponentName}[]`;
  /** The reason for a 403. */
  forbidden?: string;
  /** The reasons for a 400, if the API specification names them. */
  refused?: string;
  call(notetaker: Notetaker, account: ExampleAccount): PromiseLike<unknown>;
}

const NOT_THE_OWNER = "The caller does not own the meeting.";

export const OPERATIONS: readonly OperationSource[] = [
  {
    name: "meetings.sendBot",
    route: "POST /meetings/bot",
    body: "SendBotParams",
    answer: "SendBotResult",
    refused:
      "The link is missing, longer than 1024 characters, malformed or not a supported video-conference link; or the " +
      "account has no connected calendar.",
    forbidden: "The usage limit is exceeded: the plan must be upgraded to send the bot.",
    call: ({ meetings }) => meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" }),
  },
  {
    name: "meetings.cancelBot",
    route: "DELETE /meetings/{event_id}/bot",
    answer: "EventBotResult",
    call: ({ meetings }, { eventId }) => meetings.cancelBot(eventId),
  },
  {
    name: "meetings.scheduleBot",
    route: "POST /meetings/{event_id}/bot",
    answer: "EventBotResult",
    call: ({ meetings }, { eventId }) => meetings.scheduleBot(eventId),
  },
  {
    name: "meetings.upload",
    route: "PUT /meetings/upload",
    query: { type: "UploadParams", names: "none" },
    answer: "UploadResult",
    call: ({ meetings }) =>
      meetings.upload(new Uint8Array(64), { title: "Weekly", language: "en", contentType: "audio/wav" }),
  },
  {
    name: "meetings.getTranscript",
    route: "GET /meetings/{meeting_id}/transcript",
    answer: "Transcript",
    call: ({ meetings }, { meetingId }) => meetings.getTranscript(meetingId),
  },
  {
    name: "meetings.getRecording",
    route: "GET /meetings/{meeting_id}/recording",
    answer: "RecordingLink",
    call: ({ meetings }, { meetingId }) => meetings.getRecording(meetingId),
  },
  {
    name: "meetings.list",
    route: "GET /meetings",
    query: { type: "MeetingListParams", names: "meetings" },
    answer: "MeetingPage",
    call: ({ meetings }) => meetings.list({ limit: 1, expand: ["documents"] }),
  },
  {
    name: "meetings.upcoming",
    route: "GET /meetings/upcoming",
    answer: "UpcomingMeeting[]",
    call: ({ meetings }) => meetings.upcoming(),
  },
  {
    name: "rooms.list",
    route: "GET /rooms",
    query: { type: "RoomListParams", names: "rooms" },
    answer: "RoomPage",
    call: ({ rooms }) => rooms.list({ limit: 1, expand: ["meetings", "documents"] }),
  },
  {
    name: "documents.get",
    route: "GET /documents/{document_id}",
    query: { type: "DocumentGetParams", names: "documents" },
    answer: "Document",
    call: ({ documents }, { documentId }) => documents.get(documentId, { format: "markdown" }),
  },
  {
    name: "permissions.set",
    route: "POST /meetings/{meeting_id}/permissions",
    body: "PermissionSetParams",
    answer: "Permission",
    forbidden: NOT_THE_OWNER,
    call: ({ permissions }, { meetingId }) =>
      permissions.set(meetingId, { recipient: { type: "anyone" }, role: "read" }),
  },
  {
    name: "permissions.list",
    route: "GET /meetings/{meeting_id}/permissions",
    query: { type: "PermissionListParams", names: "permissions" },
    answer: "PermissionPage",
    forbidden: NOT_THE_OWNER,
    call: ({ permissions }, { meetingId }) => permissions.list(meetingId, { limit: 1 }),
  },
  {
    name: "permissions.revoke",
    route: "DELETE /meetings/{meeting_id}/permissions/{permission_id}",
    forbidden: NOT_THE_OWNER,
    call: async ({ permissions }, { meetingId }) => {
      const { id } = await permissions.set(meetingId, { recipient: { type: "anyone" }, role: "read" });
      await permissions.revoke(meetingId, id);
    },
  },
  {
    name: "webhooks.list",
    route: "GET /webhooks",
    answer: "Webhook[]",
    call: ({ webhooks }) => webhooks.list(),
  },
  {
    name: "webhooks.create",
    route: "POST /webhooks",
    body: "WebhookCreateParams",
    answer: "CreatedWebhook",
    call: ({ webhooks }) => webhooks.create({ url: "https://example.com/hooks", events: ["meeting.transcript_ready"] }),
  },
  {
    name: "webhooks.update",
    route: "PATCH /webhooks/{webhook_id}",
    body: "WebhookUpdateParams",
    answer: "Webhook",
    call: async ({ webhooks }) => {
      const [webhook] = await webhooks.list();
      await webhooks.update(webhook?.id ?? "", { enabled: false });
    },
  },
  {
    name: "webhooks.delete",
    route: "DELETE /webhooks/{webhook_id}",
    call: async ({ webhooks }) => {
      const [webhook] = await webhooks.list();
      await webhooks.delete(webhook?.id ?? "");
    },
  },
  {
    name: "settings.getNotetakerAutomation",
    route: "GET /settings/notetaker-automation",
    answer: "Automation",
    call: ({ settings }) => settings.getNotetakerAutomation(),
  },
  {
    name: "settings.setNotetakerAutomation",
    route: "PUT /settings/notetaker-automation",
    body: "AutomationParams",
    answer: "Automation",
    call: ({ settings }) => settings.setNotetakerAutomation({ automation: "JOIN_AS_HOST" }),
  },
];
