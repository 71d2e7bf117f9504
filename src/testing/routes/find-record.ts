/** Finds what a path names, or answers as the service does when it is not there or not the caller's. */
import { errorResponse, notFound, Refusal } from "../http/error-response.js";
import type { Call } from "../http/route.js";
import type { EventRecord, MeetingRecord } from "../state/records.js";

export function findMeeting({ world, params }: Call): MeetingRecord {
  const meeting = world.state.meetings.get(params.meeting_id!);
  if (meeting === undefined) throw notFound();
  return meeting;
}

/** Permission endpoints act on meetings that the caller owns. */
export function findOwnedMeeting(call: Call): MeetingRecord {
  const meeting = findMeeting(call);
  if (!meeting.owned) throw new Refusal(errorResponse(403, "only the owner of the meeting may do this"));
  return meeting;
}

export function findEvent({ world, params }: Call): EventRecord {
  const event = world.state.events.get(params.event_id!);
  if (event === undefined) throw notFound();
  return event;
}
