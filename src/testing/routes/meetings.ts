import { DAY_MS } from "../../async/timers.js";
import { getRecording, getTranscript, listMeetings, listUpcoming } from "../../endpoints/meetings.js";
import { MEETING_STATUSES } from "../../schemas/meeting.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { json } from "../http/exchange.js";
import { newestFirst, paginate } from "../http/paginate.js";
import { notFound } from "../http/refusals.js";
import { answer, invalidParameter } from "../http/route.js";
import { activeBotOf } from "../lifecycle/bots.js";
import { upcomingEvents } from "../lifecycle/calendar.js";
import type { MeetingRecord } from "../state/records.js";
import { contentKey, type State } from "../state/state.js";
import { documentsToWire, eventToWire, meetingToWire, transcriptToWire } from "../state/to-wire.js";
import { accessibleMeetings, findMeeting, type MeetingAccess } from "./find-record.js";
import { openRecordingLink } from "./recordings.js";

export const meetingRoutes = [
  answer(listMeetings, (call) => {
    const { context, query } = call;
    const isStatus = (status: string) => (MEETING_STATUSES as readonly string[]).includes(status);
    if (context.settings.strict && query.status !== undefined && !isStatus(query.status)) {
      throw invalidParameter(call, "status", `expected one of ${MEETING_STATUSES.join(", ")}`);
    }
    const meetings = accessibleMeetings(context).filter((access) => matches(access, query, context.state));
    const sortKey = ({ meeting }: MeetingAccess) => newestFirst(meeting.start_time, meeting.id);
    const toWire = ({ meeting, holder }: MeetingAccess) =>
      meetingToWire(meeting, query.expand && { documents: documentsToWire(holder.state, meeting) });
    return json(paginate(call, meetings, sortKey, toWire));
  }),
  answer(listUpcoming, ({ context }) =>
    json(upcomingEvents(context).map((event) => eventToWire(event, activeBotOf(context, event.id) !== undefined))),
  ),
  answer(getTranscript, (call) => {
    const { meeting, holder } = findMeeting(call);
    const { id, transcript } = meeting;
    if (transcript === null || holder.state.hidden.has(contentKey("transcript", id))) throw notFound();
    return json(transcriptToWire(id, transcript));
  }),
  answer(getRecording, (call) => {
    const { meeting, holder } = findMeeting(call);
    const { id, recording } = meeting;
    const isThere = recording !== null && !holder.state.hidden.has(contentKey("recording", id));
    const link = () => `${call.storageUrl}/${openRecordingLink(holder, id)}`;
    return json({ meeting_id: id, recording_url: isThere ? link() : null });
  }),
];

/** Whether a meeting passes every filter of the query (documented). How the service searches is not known. */
function matches({ meeting, owned }: MeetingAccess, query: MeetingListParams, state: State): boolean {
  const { ids, scope = "all", status, start_date, end_date, search, q, participant, company, room_id } = query;
  const start = parseTimestamp(meeting.start_time);
  return (
    (ids === undefined || ids.includes(meeting.id)) &&
    (scope === "all" || owned === (scope === "owned")) &&
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
