/** Interface, upload, transcript and recording; the meeting list is level A, the upcoming meetings are level C. */

import { MEDIA_TYPES } from "../schemas/media-type.js";
import { MEETING_EXPANSIONS } from "../schemas/meeting-list.js";
import { SCOPES } from "../schemas/room.js";
import { UPLOAD_LANGUAGE_MAX, UPLOAD_TITLE_MAX } from "../schemas/upload.js";
import type { WireNames } from "../unshown.js";
import { json } from "./exchange.js";
import { botOfEvent, upcomingEvents } from "./life-of-bots.js";
import { beginProcessing, newMeeting } from "./life-of-meetings.js";
import { meetingOf } from "./lookup.js";
import { matchesMeeting } from "./meeting-search.js";
import { newestFirst, pageOf, pageQuery, sortedByPlace } from "./pages.js";
import { mintId } from "./random.js";
import { openRecordingLink } from "./recording-storage.js";
import { notFound } from "./refusal.js";
import type { Route } from "./route.js";
import { anyText, atMost, calendarDate, filledText, idOf, oneOf, queryIdOf, type Rule } from "./rules.js";
import { referencesOf, shownMeeting } from "./show.js";
import type { MeetingRecord } from "./state.js";

const params = { meeting_id: idOf("mtg_") };

/** The media type without parameters such as `; codecs=opus`. */
const essence = (value: string) => value.split(";", 1)[0]!.trim().toLowerCase();
const listed = oneOf(MEDIA_TYPES);
const listedMediaType: Rule = (value) => listed(typeof value === "string" ? essence(value) : value);

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
      const found = sortedByPlace([...state.meetings.values()].filter(matches), place);
      return json(
        pageOf(found, place, query, names, (meeting) => ({
          ...shownMeeting(meeting),
          ...(expandDocuments ? { documents: referencesOf(state, meeting) } : {}),
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
    method: "PUT",
    path: "/meetings/upload",
    invalid: "validation",
    limit: "upload",
    headers: { "content-type": listedMediaType },
    query: { title: { rule: atMost(UPLOAD_TITLE_MAX) }, language: { rule: atMost(UPLOAD_LANGUAGE_MAX) } },
    binary: true,
    answer: ({ world, query, request: { headers, body } }) => {
      const meeting = newMeeting(world, {
        id: mintId(world.state, "mtg_"),
        title: query.get("title") || null,
        language: query.get("language") || "en",
        status: "processing",
        source: "upload",
        recording: {
          contentType: essence(headers.get("content-type") ?? ""),
          ...(body.bytes === undefined ? {} : { bytes: body.bytes }),
        },
      });
      beginProcessing(world, meeting);
      return json({ id: meeting.id, status: meeting.status });
    },
  },
  {
    method: "GET",
    path: "/meetings/{meeting_id}/transcript",
    invalid: "validation",
    params,
    answer: (call) => {
      const { id, transcript } = meetingOf(call);
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
      const meeting = meetingOf(call);
      const key = meeting.recording === null ? undefined : openRecordingLink(call.world, meeting.id);
      return json({ meeting_id: meeting.id, recording_url: key === undefined ? null : `${call.storageUrl}/${key}` });
    },
  },
];
