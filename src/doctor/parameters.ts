/**
 * What the doctor knows of each parameter: its purpose, the names that are tried if the default name is not honoured,
 * and which request shows whether a name has an effect.
 */
import type { ASSUMED_QUERY } from "../assumptions.js";
import { DAY_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import { parseTimestamp } from "../schemas/primitives.js";
import type { ListFacts } from "./list-facts.js";
import type { Group, ListGroup } from "./lists.js";
import { Inconclusive, type Query } from "./service-reader.js";

/**
 * Sends a parameter with each of the names. Resolves to whether the response shows that the service uses one of them.
 * Throws {@link Inconclusive} if the account lacks what this check needs.
 */
type ListCheck = (facts: ListFacts, names: readonly string[], rooms?: ListFacts) => Promise<boolean>;

export interface CheckExtras {
  /** Why the verdict is `undecided`, not `differs`, if no name has an effect. */
  readonly ifNone?: string | undefined;
  /** Checks how the service applies the name. Returns a difference, if there is one. */
  readonly limitation?: (name: string) => Promise<string | undefined>;
}

export interface Parameter {
  readonly title: string;
  /** The names that are tried, in this order, if the default name is not honoured. */
  readonly candidates: readonly string[];
}

export interface ListParameter extends Parameter {
  readonly check: ListCheck;
  readonly extras?: (facts: ListFacts) => CheckExtras;
  /** Whether it is checked after all lists: if no requests remain, the least is lost. */
  readonly isLast?: true;
}

/** What a parameter means: its name in this library. */
type MeaningIn<G extends Group> = { [K in G]: keyof (typeof ASSUMED_QUERY)[K] }[G];
export type ListMeaning = MeaningIn<ListGroup>;
export type Meaning = MeaningIn<Group>;

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

const isSameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((id, index) => id === right[index]);
const areDisjoint = (left: readonly string[], right: readonly string[]) => !left.some((id) => right.includes(id));

const needs = (count: number, { list }: ListFacts, what = "") =>
  new Inconclusive(`needs at least ${count} ${list.item}${count === 1 ? "" : "s"}${what}`);

function needsAny(facts: ListFacts): void {
  if (facts.first.rows.length === 0) throw needs(1, facts);
}

const unclear = () => new Inconclusive("the page does not show it", "unclear");

/** Requests a filter that no item matches, which returns an empty page. */
const emptyCheck: ListCheck = async (facts, names) => {
  needsAny(facts);
  const { rows, hasMore } = await facts.page(under(names, IMPROBABLE_TEXT));
  return rows.length === 0 && !hasMore;
};

const startOf = (row: Record<string, unknown>) => parseTimestamp(String(row.start_time));

/** Requests a day long after all meetings on the page (`direction` 1), or long before all of them (-1). */
const dateCheck =
  (direction: 1 | -1): ListCheck =>
  async (facts, names) => {
    // A time near the limit of `Date` has no day 400 days later.
    const starts = facts.first.rows.map(startOf).filter((time) => Math.abs(time) < 8e15);
    const [outermost] = starts.sort((a, b) => direction * (b - a));
    if (outermost === undefined) throw needs(1, facts, " with a start_time");
    const requested = outermost + direction * FAR_DAYS * DAY_MS;
    const { rows } = await facts.page(under(names, new Date(requested).toISOString().slice(0, 10)));
    return rows.every((row) => direction * (startOf(row) - requested) >= -2 * DAY_MS);
  };

/** The size to request: one item, or two if the list without parameters has at most one. */
const sizeToRequest = ({ first }: ListFacts) => (first.rows.length > 1 ? 1 : 2);

/** The parameters of lists, in the order of the checks: later ones use what earlier ones have found. */
export const LIST_PARAMETERS: Readonly<Record<ListMeaning, ListParameter>> = {
  limit: {
    title: "page size",
    candidates: ["page_size", "per_page", "size", "first", "count", "max"],
    /** Requests a page of another size. */
    async check(facts, names) {
      if (!facts.hasTwo) throw needs(2, facts);
      const query = under(names, sizeToRequest(facts));
      const page = await facts.page(query);
      const isHonoured = page.rows.length === sizeToRequest(facts);
      if (isHonoured && page.hasMore && names.length === 1) facts.small = { page, query };
      return isHonoured;
    },
    extras: (facts) => ({
      ifNone:
        sizeToRequest(facts) === 1
          ? undefined
          : `needs a page of more than 1 ${facts.list.item}: the service sends no larger one`,
      async limitation(name) {
        if (!facts.first.hasMore) return undefined;
        const { rows, hasMore } = await facts.page({ [name]: 100 });
        return hasMore && rows.length < 100 ? `cuts a page of 100 to ${rows.length}` : undefined;
      },
    }),
  },

  cursor: {
    title: "pagination cursor",
    candidates: ["after", "next_cursor", "page_token", "starting_after", "next", "page"],
    /** Requests the page after a known page that has `has_more` and a cursor. */
    async check(facts, names) {
      const { first, small } = facts;
      const { page: before, query } = small?.page.nextCursor === undefined ? { page: first, query: {} } : small;
      if (!before.hasMore || before.nextCursor === undefined) {
        const size = small === undefined ? ", more than the service puts on one page" : "";
        throw new Inconclusive(`needs a second page: at least 2 ${facts.list.item}s${size}`);
      }
      const page = await facts.page({ ...query, ...under(names, before.nextCursor) });
      const areComparable = [before, page].every(({ ids, hasIds }) => ids.length > 0 && hasIds);
      if (!areComparable) throw unclear();
      return areDisjoint(page.ids, before.ids);
    },
  },

  ids: {
    title: "filter by ids",
    candidates: ["ids", "room_ids", "meeting_ids", "room_id", "meeting_id", "id[]", "ids[]"],
    /** Requests one item by its id. */
    async check(facts, names) {
      const { first, ids } = facts;
      // If the first page has only one row, its id is not used: the row is returned even if no name is honoured.
      const unusable = first.rows.length === 1 ? first.ids[0] : undefined;
      const target = [...ids].filter((id) => id !== unusable).at(-1);
      if (ids.size < 2 || target === undefined) throw needs(2, facts);
      const page = await facts.page(under(names, [target]));
      return page.rows.length === 1 && page.ids[0] === target;
    },
  },

  scope: {
    title: "ownership scope",
    candidates: ["ownership", "filter", "visibility", "owner"],
    /** Requests the shared items, and the owned items. The two lists must have no item in common. */
    async check(facts, names) {
      needsAny(facts);
      const shared = await facts.page(under(names, "shared"));
      const owned = await facts.page(under(names, "owned"));
      if (!shared.hasIds || !owned.hasIds) throw unclear();
      return shared.ids.length + owned.ids.length > 0 && areDisjoint(shared.ids, owned.ids);
    },
  },

  q: {
    title: "semantic search",
    candidates: [],
    /** Requests a semantic search. It may also find items without the text, so only an empty page proves something. */
    async check(facts, names) {
      needsAny(facts);
      const { rows } = await facts.page(under(names, IMPROBABLE_TEXT));
      if (rows.length > 0) throw unclear();
      return true;
    },
  },

  search: { title: "search by title", candidates: ["q", "query", "title", "name", "keyword"], check: emptyCheck },

  expand: {
    title: "expansion of related resources",
    candidates: ["include", "expand[]", "with", "embed", "fields"],
    /** Requests fields that are sent only on request. */
    async check(facts, names) {
      needsAny(facts);
      const { expansions } = facts.list;
      const hasField = (row: Record<string, unknown>) => expansions.some((field) => Array.isArray(row[field]));
      if (facts.first.rows.some(hasField)) {
        const what = expansions.join(" and ");
        throw new Inconclusive(`the service always sends ${what}, even if they are not requested`);
      }
      const { rows } = await facts.page(under(names, expansions));
      const isHonoured = rows.some(hasField);
      if (isHonoured) facts.expanded = rows;
      return isHonoured;
    },
  },

  status: {
    title: "filter by status",
    candidates: [],
    isLast: true,
    /** Requests a status that the first meeting does not have. */
    async check(facts, names) {
      needsAny(facts);
      const status = MEETING_STATUSES.find((known) => known !== facts.first.rows[0]?.status) as string;
      const { rows } = await facts.page(under(names, status));
      return rows.every((row) => row.status === status);
    },
  },

  start_date: { title: "first day", candidates: [], isLast: true, check: dateCheck(1) },
  end_date: { title: "last day", candidates: [], isLast: true, check: dateCheck(-1) },
  participant: { title: "filter by participant", candidates: [], isLast: true, check: emptyCheck },
  company: { title: "filter by company", candidates: [], isLast: true, check: emptyCheck },

  room_id: {
    title: "filter by room",
    candidates: [],
    isLast: true,
    /** Requests the meetings of a room that does not contain all meetings of the page. */
    async check(facts, names, rooms) {
      const { first } = facts;
      for (const { id, meetings } of rooms?.expanded ?? []) {
        const ids = (Array.isArray(meetings) ? meetings : []).filter(isRecord).map((meeting) => String(meeting.id));
        if (typeof id !== "string" || ids.length === 0 || first.ids.every((other) => ids.includes(other))) continue;
        const page = await facts.page(under(names, id));
        if (isSameList(page.ids, first.ids)) return false;
        if (page.ids.length === 0 || !page.ids.every((other) => ids.includes(other))) throw unclear();
        return true;
      }
      throw new Inconclusive("needs a room with meetings, and a meeting outside of it");
    },
  },
};

export const PARAMETERS: Readonly<Record<Meaning, Parameter>> = {
  ...LIST_PARAMETERS,
  format: { title: "output format", candidates: ["output_format", "output", "as", "type", "content_format"] },
};
