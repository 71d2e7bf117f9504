/** The schemas of the service with their names in the document, converted to JSON Schema. */
import * as z from "zod/mini";
import { automationSchema, notetakerAutomationParamsSchema } from "../../src/schemas/automation.js";
import { eventBotResultSchema, sendBotParamsSchema, sendBotResultSchema } from "../../src/schemas/bot.js";
import { documentGetParamsSchema, documentReferenceSchema, documentSchema } from "../../src/schemas/document.js";
import {
  errorDetailSchema,
  errorEnvelopeSchema,
  validationEnvelopeSchema,
  validationIssueSchema,
} from "../../src/schemas/error-envelope.js";
import { hostSchema, meetingSchema, meetingSummarySchema, participantSchema } from "../../src/schemas/meeting.js";
import { meetingListParamsSchema, upcomingMeetingSchema } from "../../src/schemas/meeting-list.js";
import { pageSchema } from "../../src/schemas/page.js";
import {
  permissionListParamsSchema,
  permissionPageSchema,
  permissionSchema,
  permissionSetParamsSchema,
  recipientSchema,
} from "../../src/schemas/permission.js";
import { recordingLinkSchema } from "../../src/schemas/recording.js";
import { roomListParamsSchema, roomSchema } from "../../src/schemas/room.js";
import { segmentSchema, speakerSchema, transcriptSchema } from "../../src/schemas/transcript.js";
import { uploadParamsSchema, uploadResultSchema } from "../../src/schemas/upload.js";
import {
  createdWebhookSchema,
  webhookCreateParamsSchema,
  webhookSchema,
  webhookUpdateParamsSchema,
} from "../../src/schemas/webhook.js";
import { extras, idParam } from "./describable-primitives.js";

/** The schemas of bodies, by the names of their types. */
const components = {
  Automation: automationSchema,
  AutomationParams: notetakerAutomationParamsSchema,
  CreatedWebhook: createdWebhookSchema,
  Document: documentSchema,
  DocumentReference: documentReferenceSchema,
  ErrorDetail: errorDetailSchema,
  ErrorEnvelope: errorEnvelopeSchema,
  EventBotResult: eventBotResultSchema,
  Host: hostSchema,
  Meeting: meetingSchema,
  MeetingPage: pageSchema(meetingSchema),
  MeetingSummary: meetingSummarySchema,
  Participant: participantSchema,
  Permission: permissionSchema,
  PermissionPage: permissionPageSchema(permissionSchema),
  PermissionSetParams: permissionSetParamsSchema,
  Recipient: recipientSchema,
  RecordingLink: recordingLinkSchema,
  Room: roomSchema,
  RoomPage: pageSchema(roomSchema),
  Segment: segmentSchema,
  SendBotParams: sendBotParamsSchema,
  SendBotResult: sendBotResultSchema,
  Speaker: speakerSchema,
  Transcript: transcriptSchema,
  UpcomingMeeting: upcomingMeetingSchema,
  UploadResult: uploadResultSchema,
  ValidationEnvelope: validationEnvelopeSchema,
  ValidationIssue: validationIssueSchema,
  Webhook: webhookSchema,
  WebhookCreateParams: webhookCreateParamsSchema,
  WebhookUpdateParams: webhookUpdateParamsSchema,
};

/** The schemas of query parameters, by the names of their types. */
const queries = {
  DocumentGetParams: documentGetParamsSchema,
  MeetingListParams: meetingListParamsSchema,
  PermissionListParams: permissionListParamsSchema,
  RoomListParams: roomListParamsSchema,
  UploadParams: uploadParamsSchema,
};

/** The schemas of ids in a path. */
const ids = {
  meeting_id: idParam("meetingId"),
  event_id: idParam("eventId"),
  document_id: idParam("documentId"),
  webhook_id: idParam("webhookId"),
  permission_id: idParam("permissionId"),
};

export type ComponentName = keyof typeof components;
export type QueryName = keyof typeof queries;

/** Every schema as JSON Schema, by name. */
export function jsonSchemas(): Record<string, Record<string, unknown>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...components, ...queries, ...ids })) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, extras.get(zodSchema));
      // Further fields are allowed, which is the default of JSON Schema.
      if (JSON.stringify(jsonSchema.additionalProperties) === "{}") delete jsonSchema.additionalProperties;
    },
  });
  return schemas as Record<string, Record<string, unknown>>;
}
