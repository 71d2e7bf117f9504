import { notFound, RefusedRequest, refusal } from "../http/refusals.js";
import { type Call, pathId } from "../http/route.js";
import type { DocumentRecord, EventRecord, MeetingRecord, WebhookRecord } from "../state/records.js";

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export const findMeeting = (call: Call): MeetingRecord =>
  found(call.context.state.meetings.get(pathId(call, "meetingId")));

/** Permission endpoints require a meeting that the caller owns. */
export function findOwnedMeeting(call: Call): MeetingRecord {
  const meeting = findMeeting(call);
  if (!meeting.owned) throw new RefusedRequest(refusal(403, "only the owner of the meeting may do this"));
  return meeting;
}

export const findDocument = (call: Call): DocumentRecord =>
  found(call.context.state.documents.get(pathId(call, "documentId")));

export const findEvent = (call: Call): EventRecord => found(call.context.state.events.get(pathId(call, "eventId")));

export const findWebhook = (call: Call): WebhookRecord =>
  found(call.context.state.webhooks.get(pathId(call, "webhookId")));
