/**
 * The endpoints of meetings. Transcript and recording are in the API specification, the meeting list is documented, and
 * the upcoming meetings are guessed.
 */

import type { WireNames } from "../../assumptions.js";
import { MEETING_EXPANSIONS } from "../../schemas/meeting.js";
import { SCOPES } from "../../schemas/page.js";
import { notFound } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import { newestFirst, pageQuery, paginate, sortedByKey } from "../http/paginate.js";
import type { Route } from "../http/route.js";
import { anyText, calendarDate, idRule, nonEmptyText, oneOf, queryIdRule } from "../http/rules.js";
import { botOfEvent } from "../lifecycle/bots.js";
import { upcomingEvents } from "../lifecycle/calendar.js";
import { accessibleMeetings, type MeetingAccess } from "../state/access.js";
import { documentsToWire, eventToWire, meetingToWire, transcriptToWire } from "../state/to-wire.js";
import { meetingFilter } from "./filter-meetings.js";
import { findMeeting } from "./find-record.js";
import { openRecordingLink } from "./recording-storage.js";

const params = { meeting_id: idRule("meetingId") };

const sortKey = ({ meeting }: MeetingAccess) => newestFirst(meeting.start_time, meeting.id);

const listMeetings = (names: WireNames["meetings"]): Route => ({
  method: "GET",
  path: "/meetings",
  invalid: "error",
  query: {
    [names.ids]: { rule: queryIdRule("meetingId"), repeated: true },
    [names.scope]: { rule: oneOf(SCOPES) },
    [names.status]: { rule: nonEmptyText },
    [names.start_date]: { rule: calendarDate },
    [names.end_date]: { rule: calendarDate },
    [names.search]: { rule: anyText },
    [names.q]: { rule: anyText },
    [names.participant]: { rule: anyText },
    [names.company]: { rule: anyText },
    [names.room_id]: { rule: queryIdRule("roomId") },
    [names.expand]: { rule: oneOf(MEETING_EXPANSIONS), repeated: true },
    ...pageQuery(names),
  },
  answer: ({ context, query }) => {
    const matches = meetingFilter(context.state, query, names);
    const expandDocuments = query.getAll(names.expand).includes("documents");
    const meetings = sortedByKey([...accessibleMeetings(context)].filter(matches), sortKey);
    const toWire = ({ meeting, holder }: MeetingAccess) =>
      meetingToWire(meeting, expandDocuments ? documentsToWire(holder, meeting) : undefined);
    return json(paginate(meetings, { query, names, dialect: context.settings.dialect, sortKey, toWire }));
  },
});

const listUpcomingMeetings: Route = {
  method: "GET",
  path: "/meetings/upcoming",
  invalid: "error",
  answer: ({ context }) =>
    json(upcomingEvents(context).map((event) => eventToWire(event, botOfEvent(context, event.id) !== undefined))),
};

const getTranscript: Route = {
  method: "GET",
  path: "/meetings/{meeting_id}/transcript",
  invalid: "validation",
  params,
  answer: (call) => {
    const transcript = transcriptToWire(findMeeting(call).meeting);
    if (transcript === undefined) throw notFound();
    return json(transcript);
  },
};

const getRecording: Route = {
  method: "GET",
  path: "/meetings/{meeting_id}/recording",
  invalid: "validation",
  params,
  answer: (call) => {
    const { meeting, holder } = findMeeting(call);
    const key =
      meeting.recording === null ? undefined : openRecordingLink(holder, call.context.clock.now(), meeting.id);
    return json({ meeting_id: meeting.id, recording_url: key === undefined ? null : `${call.storageUrl}/${key}` });
  },
};

export const meetingRoutes = (names: WireNames["meetings"]): Route[] => [
  listMeetings(names),
  listUpcomingMeetings,
  getTranscript,
  getRecording,
];
