/** Interface, upload, transcript and recording; the meeting list is level A, the upcoming meetings are level C. */

import { MEETING_EXPANSIONS } from "../../schemas/meeting.js";
import { SCOPES } from "../../schemas/scope.js";
import type { WireNames } from "../../unshown.js";
import { notFound } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import { newestFirst, pageQuery, paginate, sortedByKey } from "../http/paginate.js";
import type { Route } from "../http/route.js";
import { anyText, calendarDate, filledText, idOf, oneOf, queryIdOf } from "../http/rules.js";
import { botOfEvent } from "../lifecycle/bots.js";
import { upcomingEvents } from "../lifecycle/calendar.js";
import type { MeetingRecord } from "../state/records.js";
import { documentsToWire, meetingToWire } from "../state/to-wire.js";
import { matchesMeeting } from "./filter-meetings.js";
import { findMeeting } from "./find-record.js";
import { openRecordingLink } from "./recording-storage.js";

const params = { meeting_id: idOf("mtg_") };

const place = (meeting: MeetingRecord) => newestFirst(meeting.start_time, meeting.id);

export const meetingRoutes = (names: WireNames["meetings"]): Route[] => [
  {
    method: "GET",
    path: "/meetings",
    invalid: "error",
    query: {
      [names.ids]: { rule: queryIdOf("mtg_"), repeated: true },
      [names.scope]: { rule: oneOf(SCOPES) },
      [names.status]: { rule: filledText },
      [names.start_date]: { rule: calendarDate },
      [names.end_date]: { rule: calendarDate },
      [names.search]: { rule: anyText },
      [names.q]: { rule: anyText },
      [names.participant]: { rule: anyText },
      [names.company]: { rule: anyText },
      [names.room_id]: { rule: queryIdOf("room_") },
      [names.expand]: { rule: oneOf(MEETING_EXPANSIONS), repeated: true },
      ...pageQuery(names),
    },
    answer: ({ world: { state }, query }) => {
      const matches = matchesMeeting(state, query, names);
      const expandDocuments = query.getAll(names.expand).includes("documents");
      const found = sortedByKey([...state.meetings.values()].filter(matches), place);
      return json(
        paginate(found, place, query, names, (meeting) => ({
          ...meetingToWire(meeting),
          ...(expandDocuments ? { documents: documentsToWire(state, meeting) } : {}),
        })),
      );
    },
  },
  {
    method: "GET",
    path: "/meetings/upcoming",
    invalid: "error",
    answer: ({ world }) =>
      json(
        upcomingEvents(world).map(({ id, title, start_time, end_time, meeting_url }) => ({
          id,
          title,
          start_time,
          end_time,
          meeting_url,
          bot_scheduled: botOfEvent(world, id) !== undefined,
        })),
      ),
  },
  {
    method: "GET",
    path: "/meetings/{meeting_id}/transcript",
    invalid: "validation",
    params,
    answer: (call) => {
      const { id, transcript } = findMeeting(call);
      if (transcript === null) throw notFound();
      return json({ meeting_id: id, ...transcript });
    },
  },
  {
    method: "GET",
    path: "/meetings/{meeting_id}/recording",
    invalid: "validation",
    params,
    answer: (call) => {
      const meeting = findMeeting(call);
      const key = meeting.recording === null ? undefined : openRecordingLink(call.world, meeting.id);
      return json({ meeting_id: meeting.id, recording_url: key === undefined ? null : `${call.storageUrl}/${key}` });
    },
  },
];
