/** The checks of a list: the parameters of every list, the filters of rooms and meetings, those of meetings alone. */
import { DAY_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import type { Group } from "./candidates.js";
import type { CheckLog } from "./check-log.js";
import type { ListFacts, Probe } from "./list-facts.js";

/** The name of a list's items in the details of a check. */
export type ItemName = "room" | "meeting" | "permission";

/** Checks the page size and the cursor. */
export async function checkPaging(log: CheckLog, group: Group, facts: ListFacts, item: ItemName): Promise<void> {
  await log.check({
    group,
    meaning: "limit",
    probe: facts.hasTwo ? facts.limitProbe : `needs at least 2 ${item}s`,
    ifNone:
      facts.first.rows.length > 1 ? undefined : `needs a page of more than 1 ${item}: the service sends no larger one`,
    limitation: async (name) => {
      const cap = await facts.pageSizeCap(name);
      return cap === undefined ? undefined : `cuts a page of 100 to ${cap}`;
    },
  });
  const size = log.nameOf(group, "limit") === undefined ? ", more than the service puts on one page" : "";
  const needs = `needs a second page: at least 2 ${item}s${size}`;
  await log.check({ group, meaning: "cursor", probe: facts.cursorProbe ?? needs });
}

/** Checks ids, scope, search and expansion. */
export async function checkFilters(
  log: CheckLog,
  group: "rooms" | "meetings",
  facts: ListFacts,
  expansions: readonly string[],
): Promise<void> {
  const item = group === "rooms" ? "room" : "meeting";
  const ifAny = (probe: Probe | string) => (facts.first.rows.length === 0 ? `needs at least 1 ${item}` : probe);
  await log.check({ group, meaning: "ids", probe: facts.idsProbe ?? `needs at least 2 ${item}s` });
  await log.check({ group, meaning: "scope", probe: ifAny(facts.scopeProbe) });
  if (group === "meetings") await log.check({ group, meaning: "q", probe: ifAny(facts.semanticProbe) });
  await log.check({ group, meaning: "search", probe: ifAny(facts.emptyProbe) });
  const alwaysSent = `the service always sends ${expansions.join(" and ")}, even if they are not requested`;
  await log.check({ group, meaning: "expand", probe: ifAny(facts.expandProbe(expansions) ?? alwaysSent) });
}

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

/** Checks the filters that only the meeting list has. No other names are tried for them. */
export async function checkMeetingFilters(
  log: CheckLog,
  meetings: ListFacts,
  rooms: ListFacts | undefined,
): Promise<void> {
  const emptyProbe = meetings.first.rows.length === 0 ? undefined : meetings.emptyProbe;
  const probes: [meaning: string, probe: Probe | undefined, needs: string][] = [
    ["status", statusProbe(meetings), "needs at least 1 meeting"],
    ["start_date", dateProbe(meetings, "start_date"), "needs at least 1 meeting with a start_time"],
    ["end_date", dateProbe(meetings, "end_date"), "needs at least 1 meeting with a start_time"],
    ["participant", emptyProbe, "needs at least 1 meeting"],
    ["company", emptyProbe, "needs at least 1 meeting"],
    ["room_id", roomProbe(meetings, rooms), "needs a room with meetings, and a meeting outside of it"],
  ];
  for (const [meaning, probe, needs] of probes) await log.check({ group: "meetings", meaning, probe: probe ?? needs });
}
