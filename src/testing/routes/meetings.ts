import { DAY_MS } from "../../async/timers.js";
import { getRecording, getTranscript, listMeetings, listUpcoming } from "../../endpoints/meetings.js";
import { MEETING_STATUSES } from "../../schemas/meeting.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { jsonResponse } from "../http/exchange.js";
import { newestFirst, paginate } from "../http/paginate.js";
import { notFound } from "../http/refusals.js";
import { answer, invalidParameter } from "../http/route.js";
import { activeBotOf } from "../lifecycle/bots.js";
import { upcomingEvents } from "../lifecycle/calendar.js";
import type { MeetingRecord } from "../state/records.js";
import type { State } from "../state/state.js";
import { documentsToWire, meetingToWire, toWire } from "../state/to-wire.js";
import { findMeeting } from "./find-record.js";
import { openRecordingLink } from "./recordings.js";

export const meetingRoutes = [
  answer(listMeetings, (call) => {
    const { context, query } = call;
    const isStatus = (status: string) => (MEETING_STATUSES as readonly string[]).includes(status);
    if (context.settings.strict && query.status !== undefined && !isStatus(query.status)) {
      throw invalidParameter(call, "status", `expected one of ${MEETING_STATUSES.join(", ")}`);
    }
    const { state } = context;
    const meetings = [...state.meetings.values()].filter((meeting) => matches(meeting, query, state));
    const sortKey = ({ start_time, id }: MeetingRecord) => newestFirst(start_time, id);
    const meetingWithExpansions = (meeting: MeetingRecord) =>
      meetingToWire(meeting, query.expand && { documents: documentsToWire(state, meeting) });
    return jsonResponse(paginate(call, meetings, sortKey, meetingWithExpansions));
  }),
  answer(listUpcoming, ({ context }) =>
    jsonResponse(
      upcomingEvents(context).map((event) =>
        toWire("event", { ...event, bot_scheduled: activeBotOf(context, event.id) !== undefined }),
      ),
    ),
  ),
  answer(getTranscript, (call) => {
    const { id, transcript } = findMeeting(call);
    if (transcript === null) throw notFound();
    return jsonResponse(toWire("transcript", { ...transcript, meeting_id: id }));
  }),
  answer(getRecording, (call) => {
    const { id, recording } = findMeeting(call);
    const recording_url = recording && `${call.storageUrl}/${openRecordingLink(call.context, id)}`;
    return jsonResponse({ meeting_id: id, recording_url });
  }),
];

/** Whether a meeting passes every filter of the query (documented). How the service searches is not known. */
function matches(meeting: MeetingRecord, query: MeetingListParams, state: State): boolean {
  const { ids, scope = "all", status, start_date, end_date, search, q, participant, company, room_id } = query;
  const start = parseTimestamp(meeting.start_time);
  return (
    (ids === undefined || ids.includes(meeting.id)) &&
    (scope === "all" || meeting.owned === (scope === "owned")) &&
    (status === undefined || meeting.status === status) &&
    (start_date === undefined || start >= Date.parse(start_date)) &&
    (end_date === undefined || start < Date.parse(end_date) + DAY_MS) &&
    (search === undefined || includes(meeting.title, search)) &&
    (q === undefined || hasWordOf(meeting, q)) &&
    (participant === undefined ||
      meeting.participants.some(({ name, email }) => includesAny([name, email], participant))) &&
    (company === undefined ||
      meeting.participants.some((person) => includesAny([person.company, person.email], company))) &&
    (room_id === undefined || state.rooms.get(room_id)?.meetings.some((id) => id === meeting.id) === true)
  );
}

const includes = (text: string | null, part: string) => (text ?? "").toLowerCase().includes(part.toLowerCase());

const includesAny = (texts: readonly (string | null)[], part: string) => texts.some((text) => includes(text, part));

/** The emulator's semantic search: whether a word of it is in the title or the transcript. */
function hasWordOf({ title, transcript }: MeetingRecord, search: string): boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const spoken = transcript?.segments.map((segment) => segment.text) ?? [];
  const text = [title ?? "", ...spoken].join(" ").toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
}
