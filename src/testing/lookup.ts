/** Finds what a path names, or answers as the service does when it is not there or not the caller's. */
import { errorAnswer, notFound, Refusal } from "./refusal.js";
import type { Call } from "./route.js";
import type { EventRecord, MeetingRecord } from "./state.js";

export function meetingOf({ world, params }: Call): MeetingRecord {
  const meeting = world.state.meetings.get(params.meeting_id!);
  if (meeting === undefined) throw notFound();
  return meeting;
}

/** Permission endpoints act on meetings that the caller owns. */
export function ownedMeetingOf(call: Call): MeetingRecord {
  const meeting = meetingOf(call);
  if (!meeting.owned) throw new Refusal(errorAnswer(403, "only the owner of the meeting may do this"));
  return meeting;
}

export function eventOf({ world, params }: Call): EventRecord {
  const event = world.state.events.get(params.event_id!);
  if (event === undefined) throw notFound();
  return event;
}
