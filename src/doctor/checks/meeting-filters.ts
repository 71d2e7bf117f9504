/** Checks the filters that only the meeting list has. No other names are tried for them. */
import { DAY_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { MEETING_STATUSES } from "../../schemas/meeting.js";
import type { CheckLog } from "./check-log.js";
import type { Probe } from "./find-name.js";
import { IMPROBABLE_TEXT, type ListFacts } from "./list-facts.js";

/**
 * How many days a requested date is away from the meetings: so far that no meeting is between, and near enough for a
 * service to accept.
 */
const FAR_DAYS = 400;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const startOf = (row: Record<string, unknown>) => Date.parse(String(row.start_time));

/** Requests meetings of one status. */
function statusProbe(meetings: ListFacts): Probe | undefined {
  const present = meetings.first.rows.map(({ status }) => status);
  const status = MEETING_STATUSES.find((known) => present.some((other) => other !== known));
  return status === undefined ? undefined : meetings.filterProbe(status, (row) => row.status === status);
}

/** Requests a `start_date` long after all meetings on the page, or an `end_date` long before all of them. */
function dateProbe(meetings: ListFacts, end: "start_date" | "end_date"): Probe | undefined {
  const starts = meetings.first.rows.map(startOf).filter(Number.isFinite);
  if (starts.length === 0) return undefined;
  if (end === "start_date") {
    const from = Math.max(...starts) + FAR_DAYS * DAY_MS;
    return meetings.filterProbe(dayOf(from), (row) => startOf(row) >= from - 2 * DAY_MS);
  }
  const until = Math.min(...starts) - FAR_DAYS * DAY_MS;
  return meetings.filterProbe(dayOf(until), (row) => startOf(row) <= until + 2 * DAY_MS);
}

/** Requests the meetings of a room that does not contain all meetings of the page. */
function roomProbe(meetings: ListFacts, rooms: ListFacts | undefined): Probe | undefined {
  for (const { id, meetings: embedded } of rooms?.expanded ?? []) {
    if (typeof id !== "string" || !Array.isArray(embedded)) continue;
    const ids = embedded.filter(isRecord).map((meeting) => String(meeting.id));
    if (ids.length > 0 && meetings.first.ids.some((other) => !ids.includes(other)))
      return meetings.subsetProbe(id, ids);
  }
  return undefined;
}

export async function checkMeetingFilters(
  log: CheckLog,
  meetings: ListFacts,
  rooms: ListFacts | undefined,
): Promise<void> {
  const isEmpty = meetings.first.rows.length === 0;
  const probes: [meaning: string, probe: Probe | undefined, needs: string][] = [
    ["status", statusProbe(meetings), "needs at least 1 meeting"],
    ["start_date", dateProbe(meetings, "start_date"), "needs at least 1 meeting with a start_time"],
    ["end_date", dateProbe(meetings, "end_date"), "needs at least 1 meeting with a start_time"],
    ["participant", isEmpty ? undefined : meetings.emptyProbe(IMPROBABLE_TEXT), "needs at least 1 meeting"],
    ["company", isEmpty ? undefined : meetings.emptyProbe(IMPROBABLE_TEXT), "needs at least 1 meeting"],
    ["room_id", roomProbe(meetings, rooms), "needs a room with meetings, and a meeting outside of it"],
  ];
  for (const [meaning, probe, needs] of probes) await log.check({ group: "meetings", meaning, probe: probe ?? needs });
}
