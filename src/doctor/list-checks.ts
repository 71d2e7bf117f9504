/** How each parameter of a list is checked: which request shows whether a name has an effect. */
import { DAY_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import type { NameCheck, Probe, ProbeResult } from "./check-log.js";
import type { ListFacts, ReadPage } from "./list-facts.js";
import type { Query } from "./service-reader.js";

/** The check of one meaning at a list. A text instead says what the account lacks for it. */
type ListCheck = (facts: ListFacts, rooms?: ListFacts) => NameCheck | string;

/** A text that occurs in no title, name or speech. */
const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";

/**
 * How many days a requested date is away from the meetings: so far that no meeting is between, and near enough for a
 * service to accept.
 */
const FAR_DAYS = 400;

/** A query with the same value for each name. */
export const under = (names: readonly string[], value: Query[string]): Query =>
  Object.fromEntries(names.map((name) => [name, value]));

const shows = (isHonoured: boolean): ProbeResult => (isHonoured ? "honoured" : "ignored");

/** Sends `value`, and passes the received page to `result`. `query` has further parameters. */
const sends =
  (
    facts: ListFacts,
    value: Query[string],
    result: (page: ReadPage, names: readonly string[]) => ProbeResult,
    query: Query = {},
  ): Probe =>
  async (...names) =>
    result(await facts.page({ ...query, ...under(names, value) }), names);

const isSameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((id, index) => id === right[index]);
const areDisjoint = (left: readonly string[], right: readonly string[]) => !left.some((id) => right.includes(id));

const needs = (count: number, { list }: ListFacts) => `needs at least ${count} ${list.item}${count === 1 ? "" : "s"}`;

/** A check that needs one item. */
const ofAny =
  (check: (facts: ListFacts) => NameCheck | string): ListCheck =>
  (facts) =>
    facts.first.rows.length === 0 ? needs(1, facts) : check(facts);

/** Requests a filter that no item matches, which returns an empty page. */
const emptyCheck = ofAny((facts) => ({
  probe: sends(facts, IMPROBABLE_TEXT, ({ rows, hasMore }) => shows(rows.length === 0 && !hasMore)),
}));

const startOf = (row: Record<string, unknown>) => Date.parse(String(row.start_time));

/** Requests a day long after all meetings on the page (`direction` 1), or long before all of them (-1). */
const dateCheck =
  (direction: 1 | -1): ListCheck =>
  (facts) => {
    // A time near the limit of `Date` has no day 400 days later.
    const starts = facts.first.rows.map(startOf).filter((time) => Math.abs(time) < 8e15);
    const [outermost] = starts.sort((a, b) => direction * (b - a));
    if (outermost === undefined) return `${needs(1, facts)} with a start_time`;
    const requested = outermost + direction * FAR_DAYS * DAY_MS;
    const isInPeriod = (row: Record<string, unknown>) => direction * (startOf(row) - requested) >= -2 * DAY_MS;
    const day = new Date(requested).toISOString().slice(0, 10);
    return { probe: sends(facts, day, ({ rows }) => shows(rows.every(isInPeriod))) };
  };

export const LIST_CHECKS: Readonly<Record<string, ListCheck>> = {
  /** Requests a page of one item. If the list without parameters has at most one item, requests a page of two. */
  limit(facts) {
    if (!facts.hasTwo) return needs(2, facts);
    const size = facts.first.rows.length > 1 ? 1 : 2;
    const noLarger = `needs a page of more than 1 ${facts.list.item}: the service sends no larger one`;
    return {
      probe: sends(facts, size, (page, names) => {
        const isHonoured = page.rows.length === size;
        if (isHonoured && page.hasMore && names.length === 1) facts.small = { page, query: under(names, size) };
        return shows(isHonoured);
      }),
      ifNone: size === 1 ? undefined : noLarger,
      async limitation(name) {
        if (!facts.first.hasMore) return undefined;
        const { rows, hasMore } = await facts.page({ [name]: 100 });
        return hasMore && rows.length < 100 ? `cuts a page of 100 to ${rows.length}` : undefined;
      },
    };
  },

  /** Requests the page after a known page that has `has_more` and a cursor. */
  cursor(facts) {
    const { first, small } = facts;
    const { page: before, query } = small?.page.nextCursor === undefined ? { page: first, query: {} } : small;
    const size = small === undefined ? ", more than the service puts on one page" : "";
    const { hasMore, nextCursor } = before;
    if (!hasMore || nextCursor === undefined) {
      return `needs a second page: at least 2 ${facts.list.item}s${size}`;
    }
    const isComparable = ({ ids, hasIds }: ReadPage) => ids.length > 0 && hasIds;
    const result = (page: ReadPage): ProbeResult =>
      isComparable(before) && isComparable(page) ? shows(areDisjoint(page.ids, before.ids)) : "unclear";
    return { probe: sends(facts, nextCursor, result, query) };
  },

  /** Requests one item by its id. */
  ids(facts) {
    const { first, ids } = facts;
    // If the first page has only one row, its id is not used: the row is returned even if no name is honoured.
    const unusable = first.rows.length === 1 ? first.ids[0] : undefined;
    const target = [...ids].filter((id) => id !== unusable).at(-1);
    if (ids.size < 2 || target === undefined) return needs(2, facts);
    return { probe: sends(facts, [target], (page) => shows(page.rows.length === 1 && page.ids[0] === target)) };
  },

  /** Requests the shared items, and the owned items. The two lists must have no item in common. */
  scope: ofAny((facts) => ({
    async probe(...names) {
      const shared = await facts.page(under(names, "shared"));
      const owned = await facts.page(under(names, "owned"));
      if (!shared.hasIds || !owned.hasIds) return "unclear";
      return shows(shared.ids.length + owned.ids.length > 0 && areDisjoint(shared.ids, owned.ids));
    },
  })),

  /** Requests a semantic search. It may also find items without the text, so only an empty page proves something. */
  q: ofAny((facts) => ({
    probe: sends(facts, IMPROBABLE_TEXT, ({ rows }) => (rows.length === 0 ? "honoured" : "unclear")),
  })),

  search: emptyCheck,
  participant: emptyCheck,
  company: emptyCheck,

  /** Requests fields that are sent only on request. */
  expand: ofAny((facts) => {
    const { expansions } = facts.list;
    const hasField = (row: Record<string, unknown>) => expansions.some((field) => Array.isArray(row[field]));
    if (facts.first.rows.some(hasField)) {
      return `the service always sends ${expansions.join(" and ")}, even if they are not requested`;
    }
    return {
      probe: sends(facts, expansions, ({ rows }) => {
        const isHonoured = rows.some(hasField);
        if (isHonoured) facts.expanded = rows;
        return shows(isHonoured);
      }),
    };
  }),

  /** Requests a status that the first meeting does not have. */
  status: ofAny((facts) => {
    const status = MEETING_STATUSES.find((known) => known !== facts.first.rows[0]?.status) as string;
    return { probe: sends(facts, status, ({ rows }) => shows(rows.every((row) => row.status === status))) };
  }),

  start_date: dateCheck(1),
  end_date: dateCheck(-1),

  /** Requests the meetings of a room that does not contain all meetings of the page. */
  room_id(facts, rooms) {
    const { first } = facts;
    for (const { id, meetings } of rooms?.expanded ?? []) {
      const ids = (Array.isArray(meetings) ? meetings : []).filter(isRecord).map((meeting) => String(meeting.id));
      if (typeof id !== "string" || ids.length === 0 || first.ids.every((other) => ids.includes(other))) continue;
      const result = (page: ReadPage): ProbeResult => {
        if (isSameList(page.ids, first.ids)) return "ignored";
        return page.ids.length > 0 && page.ids.every((other) => ids.includes(other)) ? "honoured" : "unclear";
      };
      return { probe: sends(facts, id, result) };
    }
    return "needs a room with meetings, and a meeting outside of it";
  },
};
