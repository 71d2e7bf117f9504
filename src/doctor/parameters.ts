/** What each parameter is for, and the request whose response shows whether the service uses its name. */
import type { ASSUMED_QUERY } from "../assumptions.js";
import { DAY_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import { parseTimestamp } from "../schemas/primitives.js";
import type { Group } from "./lists.js";
import type { ReadList } from "./read-list.js";
import type { Verdict } from "./report.js";
import { Inconclusive } from "./service-reader.js";

export type Judgement = readonly [verdict: Verdict, detail: string];

/** Resolves to what the response shows. Throws {@link Inconclusive} if it shows nothing. */
type Probe = (list: ReadList, name: string, rooms: ReadList | undefined) => Promise<Judgement>;

interface Parameter {
  readonly title: string;
  readonly probe: Probe;
}

/** What a parameter means: its name in this library. */
export type Meaning = { [G in Group]: keyof (typeof ASSUMED_QUERY)[G] }[Group];
export type ListMeaning = Exclude<Meaning, "format">;

/** A text that occurs in no title, name or speech. */
const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";

/** How many days a requested date is away from the meetings: near enough for a service to accept. */
const FAR_DAYS = 400;

const areDisjoint = (left: readonly string[], right: readonly string[]) => !left.some((id) => right.includes(id));

const counted = ({ length }: readonly unknown[], { kind }: ReadList) =>
  `${length} ${kind.item}${length === 1 ? "" : "s"}`;

const needs = (what: string) => new Inconclusive(`needs ${what}`);

function needsAny({ first, kind }: ReadList): void {
  if (first.rows.length === 0) throw needs(`at least 1 ${kind.item}`);
}

export const finding = (isHonoured: boolean, detail: string): Judgement => [
  isHonoured ? "confirmed" : "differs",
  detail,
];

const emptyProbe: Probe = async (list, name) => {
  needsAny(list);
  const { rows, hasMore } = await list.page({ [name]: IMPROBABLE_TEXT });
  const detail = `${name} with a text that occurs nowhere returned ${counted(rows, list)}`;
  return finding(rows.length === 0 && !hasMore, hasMore ? `${detail} and a next page` : detail);
};

const startOf = (row: Record<string, unknown>) => parseTimestamp(String(row.start_time));

/** Requests a day long after all meetings on the page (`direction` 1), or long before all of them (-1). */
const dateProbe =
  (direction: 1 | -1): Probe =>
  async (list, name) => {
    // A time near the limit of `Date` has no day 400 days later.
    const starts = list.first.rows.map(startOf).filter((time) => Math.abs(time) < 8e15);
    const [outermost] = starts.sort((a, b) => direction * (b - a));
    if (outermost === undefined) throw needs("at least 1 meeting with a start_time");
    const requested = outermost + direction * FAR_DAYS * DAY_MS;
    const { rows } = await list.page({ [name]: new Date(requested).toISOString().slice(0, 10) });
    const matching = rows.filter((row) => direction * (startOf(row) - requested) >= -2 * DAY_MS);
    const beyond = direction === 1 ? "after the latest" : "before the earliest";
    const detail = `${name} ${FAR_DAYS} days ${beyond} meeting returned ${counted(rows, list)}, ${matching.length} matching`;
    return finding(matching.length === rows.length, detail);
  };

/** The parameters of lists, in the order of the checks: later ones use what earlier ones have found. */
export const LIST_PARAMETERS: Readonly<Record<ListMeaning, Parameter>> = {
  limit: {
    title: "page size",
    async probe(list, name) {
      if (list.first.rows.length < 2) throw needs(`at least 2 ${list.kind.item}s on one page`);
      const query = { [name]: 1 };
      const page = await list.page(query);
      const isHonoured = page.rows.length === 1;
      if (isHonoured && page.hasMore) list.small = { page, query };
      return finding(isHonoured, `${name}=1 returned ${counted(page.rows, list)}`);
    },
  },

  cursor: {
    title: "pagination cursor",
    /** Requests the page after a known page that has `has_more` and a cursor. */
    async probe(list, name) {
      const { page: before, query } = list.small ?? { page: list.first, query: {} };
      if (!before.hasMore || before.nextCursor === undefined) throw needs(`a second page of ${list.kind.item}s`);
      const page = await list.page({ ...query, [name]: before.nextCursor });
      const areComparable = [before, page].every(({ ids, hasIds }) => ids.length > 0 && hasIds);
      if (!areComparable) throw new Inconclusive(`${name} returned a page that cannot be compared: items without ids`);
      const isNext = areDisjoint(page.ids, before.ids);
      return finding(isNext, `${name} returned ${isNext ? "the next page" : "items of the previous page again"}`);
    },
  },

  ids: {
    title: "filter by ids",
    async probe(list, name) {
      const { first, ids } = list;
      // If the first page has only one row, its id is not used: the row is returned even if no name is honoured.
      const unusable = first.rows.length === 1 ? first.ids[0] : undefined;
      const target = [...ids].filter((id) => id !== unusable).at(-1);
      if (ids.size < 2 || target === undefined) throw needs(`at least 2 ${list.kind.item}s`);
      const page = await list.page({ [name]: [target] });
      const isRequested = page.rows.length === 1 && page.ids[0] === target;
      const returned = isRequested ? `only this ${list.kind.item}` : `${counted(page.rows, list)}, not only this one`;
      return finding(isRequested, `${name} of 1 ${list.kind.item} returned ${returned}`);
    },
  },

  scope: {
    title: "ownership scope",
    /** Requests the shared items, and the owned items. The two lists must have no item in common. */
    async probe(list, name) {
      needsAny(list);
      const shared = await list.page({ [name]: "shared" });
      const owned = await list.page({ [name]: "owned" });
      if (!shared.hasIds || !owned.hasIds) throw new Inconclusive(`${name} returned items without ids`);
      const common = shared.ids.filter((id) => owned.ids.includes(id));
      const [some, other] = [counted(shared.rows, list), counted(owned.rows, list)];
      return finding(
        shared.ids.length + owned.ids.length > 0 && common.length === 0,
        `${name}=shared returned ${some}, ${name}=owned ${other}, ${common.length} of them the same`,
      );
    },
  },

  q: {
    title: "semantic search",
    /** A semantic search may also find items without the text, so only an empty page proves something. */
    async probe(list, name, rooms) {
      const found = await emptyProbe(list, name, rooms);
      if (found[0] === "confirmed") return found;
      throw new Inconclusive(`${found[1]}, as a semantic search may`);
    },
  },

  search: { title: "search by title", probe: emptyProbe },

  expand: {
    title: "expansion of related resources",
    async probe(list, name) {
      needsAny(list);
      const { expansions } = list.kind;
      const what = expansions.join(" and ");
      const hasField = (row: Record<string, unknown>) => expansions.some((field) => Array.isArray(row[field]));
      if (list.first.rows.some(hasField)) {
        throw new Inconclusive(`the service always sends ${what}, even if they are not requested`);
      }
      const { rows } = await list.page({ [name]: expansions });
      const isHonoured = rows.some(hasField);
      if (isHonoured) list.expanded = rows;
      return finding(isHonoured, `${name} of ${what} returned ${isHonoured ? "such" : "no such"} fields`);
    },
  },

  status: {
    title: "filter by status",
    async probe(list, name) {
      needsAny(list);
      const status = MEETING_STATUSES.find((known) => known !== list.first.rows[0]?.status);
      const { rows } = await list.page({ [name]: status as string });
      const matching = rows.filter((row) => row.status === status);
      const detail = `${name}=${status} returned ${counted(rows, list)}, ${matching.length} with this status`;
      return finding(matching.length === rows.length, detail);
    },
  },

  start_date: { title: "first day", probe: dateProbe(1) },
  end_date: { title: "last day", probe: dateProbe(-1) },
  participant: { title: "filter by participant", probe: emptyProbe },
  company: { title: "filter by company", probe: emptyProbe },

  room_id: {
    title: "filter by room",
    /** Requests the meetings of a room that does not contain all meetings of the page. */
    async probe(list, name, rooms) {
      const { first } = list;
      for (const { id, meetings } of rooms?.expanded ?? []) {
        const ids = (Array.isArray(meetings) ? meetings : []).filter(isRecord).map((meeting) => String(meeting.id));
        if (typeof id !== "string" || ids.length === 0 || first.ids.every((other) => ids.includes(other))) continue;
        const page = await list.page({ [name]: id });
        const inside = page.ids.filter((other) => ids.includes(other));
        const detail = `${name} of 1 room returned ${counted(page.rows, list)}, ${inside.length} of this room`;
        if (inside.length === page.ids.length && inside.length > 0) return ["confirmed", detail];
        if (page.ids.join() === first.ids.join()) return ["differs", `${name} returned the same page as without it`];
        throw new Inconclusive(detail);
      }
      throw needs("a room with meetings, and a meeting outside of it");
    },
  },
};

export const checkTitle = (meaning: Meaning) =>
  meaning === "format" ? "output format" : LIST_PARAMETERS[meaning].title;
