/** Finds the record that a path names. If it does not exist, or the caller may not see it, responds with 404 or 403. */
import { errorResponse, notFound, Refusal } from "../http/error-response.js";
import { type Call, pathParam } from "../http/route.js";
import { accessMeeting, type MeetingAccess } from "../state/access.js";
import type { EventRecord, MeetingRecord, WebhookRecord } from "../state/records.js";

function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound();
  return record;
}

export const findMeeting = (call: Call): MeetingAccess =>
  found(accessMeeting(call.context, pathParam(call, "meeting_id")));

/** Finds a meeting that the caller owns. Permission endpoints require that. */
export function findOwnedMeeting(call: Call): MeetingRecord {
  const { meeting, owned } = findMeeting(call);
  if (!owned) throw new Refusal(errorResponse(403, "only the owner of the meeting may do this"));
  return meeting;
}

export const findEvent = (call: Call): EventRecord => found(call.context.state.events.get(pathParam(call, "event_id")));

export const findWebhook = (call: Call): WebhookRecord =>
  found(call.context.state.webhooks.get(pathParam(call, "webhook_id")));
