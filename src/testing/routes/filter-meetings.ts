/** Selects the meetings that match a query of the meeting list (documented). How the service searches is not known. */

import type { WireNames } from "../../assumptions.js";
import type { MeetingAccess } from "../state/access.js";
import { DAY_MS } from "../state/durations.js";
import type { MeetingRecord } from "../state/records.js";
import type { State } from "../state/state.js";

type Filter = (access: MeetingAccess) => boolean;

const includes = (text: string | null, part: string) => (text ?? "").toLowerCase().includes(part);

/** Selects the meetings that pass every filter in the query. */
export function meetingFilter(state: State, query: URLSearchParams, names: WireNames["meetings"]): Filter {
  const filters: Filter[] = [];
  /** Adds a filter if the query has the parameter. */
  const add = (name: string, filterFor: (value: string) => Filter) => {
    const value = query.get(name);
    if (value !== null) filters.push(filterFor(value));
  };
  const ids = new Set(query.getAll(names.ids));
  if (ids.size > 0) filters.push(({ meeting }) => ids.has(meeting.id));
  add(names.scope, (scope) => (access) => scope === "all" || access.owned === (scope === "owned"));
  add(
    names.status,
    (status) =>
      ({ meeting }) =>
        (meeting.extra?.status ?? meeting.status) === status,
  );
  add(names.start_date, (date) => (access) => Date.parse(access.meeting.start_time) >= Date.parse(date));
  add(names.end_date, (date) => (access) => Date.parse(access.meeting.start_time) < Date.parse(date) + DAY_MS);
  add(names.search, (search) => (access) => includes(access.meeting.title, search.toLowerCase()));
  add(names.q, wordFilter);
  add(names.participant, (participant) => personFilter("name", participant));
  add(names.company, (company) => personFilter("company", company));
  add(names.room_id, (id) => {
    const meetings = new Set<string>(state.rooms.get(id)?.meetings);
    return ({ meeting }) => meetings.has(meeting.id);
  });
  return (access) => filters.every((matches) => matches(access));
}

/**
 * Selects meetings with any of the words in the title or the transcript. The emulator uses this filter for a semantic
 * search.
 */
function wordFilter(search: string): Filter {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return ({ meeting }) => {
    const text = searchedText(meeting);
    return words.length === 0 || words.some((word) => text.includes(word));
  };
}

const searchedText = ({ title, transcript }: MeetingRecord) =>
  [title ?? "", ...(transcript?.segments.map(({ text }) => text) ?? [])].join(" ").toLowerCase();

/** Selects meetings with a participant whose field or e-mail address contains the text. */
function personFilter(field: "name" | "company", search: string): Filter {
  const part = search.toLowerCase();
  return ({ meeting }) =>
    meeting.participants.some((person) => includes(person[field], part) || includes(person.email, part));
}
