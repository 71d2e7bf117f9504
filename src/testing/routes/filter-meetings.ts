/** Which meetings a query of the meeting list means (level A; how the service searches is not known). */
import type { WireNames } from "../../unshown.js";
import type { MeetingRecord } from "../state/records.js";
import type { State } from "../state/state.js";

const DAY_MS = 86_400_000;

const has = (text: string | null, part: string) => (text ?? "").toLowerCase().includes(part);

export function matchesMeeting(
  state: State,
  query: URLSearchParams,
  names: WireNames["meetings"],
): (meeting: MeetingRecord) => boolean {
  const lower = (name: string) => query.get(name)?.toLowerCase();
  const ids = new Set(query.getAll(names.ids));
  const scope = query.get(names.scope) ?? "all";
  const status = query.get(names.status);
  const start = query.get(names.start_date);
  const end = query.get(names.end_date);
  const search = lower(names.search) ?? "";
  const words = (lower(names.q) ?? "").split(/\s+/).filter((word) => word !== "");
  const participant = lower(names.participant);
  const company = lower(names.company);
  const roomId = query.get(names.room_id);
  const inRoom = roomId === null ? undefined : new Set<string>(state.rooms.get(roomId)?.meetings ?? []);

  return (meeting) => {
    const startsAt = Date.parse(meeting.start_time);
    return (
      (ids.size === 0 || ids.has(meeting.id)) &&
      (scope === "all" || meeting.owned === (scope === "owned")) &&
      (status === null || meeting.status === status) &&
      (start === null || startsAt >= Date.parse(start)) &&
      (end === null || startsAt < Date.parse(end) + DAY_MS) &&
      (search === "" || has(meeting.title, search)) &&
      (words.length === 0 || words.some((word) => spoken(meeting).includes(word))) &&
      (participant === undefined ||
        meeting.participants.some(({ name, email }) => has(name, participant) || has(email, participant))) &&
      (company === undefined ||
        meeting.participants.some(({ company: name, email }) => has(name, company) || has(email, company))) &&
      (inRoom === undefined || inRoom.has(meeting.id))
    );
  };
}

/** What a semantic search goes through here: any of its words, in the title or in what was said. */
const spoken = ({ title, transcript }: MeetingRecord) =>
  [title ?? "", ...(transcript?.segments.map(({ text }) => text) ?? [])].join(" ").toLowerCase();
