/** For each meaning of a name, the request whose response shows whether the service uses the name. */
import { DAY_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import { parseTimestamp } from "../schemas/primitives.js";
import { Inconclusive, type Query } from "./service-reader.js";

type Row = Readonly<Record<string, unknown>>;
type Page = ReturnType<typeof readPage>;

/** A page as it was received, without checks. Without `ids`, a row has none, and no other page can be compared. */
export function readPage(body: unknown) {
  const { data, next_cursor, has_more } = isRecord(body) ? body : { data: body };
  if (!Array.isArray(data)) throw new Inconclusive("the response is not a page");
  const rows: Row[] = data.filter(isRecord);
  const ids = rows.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  return {
    rows,
    ids: ids.length === data.length ? ids : undefined,
    cursor: has_more === true ? next_cursor : undefined,
  };
}

/** A list as the doctor reads it, and what the probes have found about it. */
export interface ReadList {
  readonly item: string;
  /** The fields that are sent on request only. */
  readonly expansions: readonly string[];
  readonly first: Page;
  /** A page that has a next page, and the query of its request: a page of one row, if the service honours `limit`. */
  before: { readonly page: Page; readonly query: Query };
  /** Rows with the expanded fields, once a request has returned such rows. */
  expanded: readonly Row[];
  readonly read: (query: Query) => Promise<Page>;
}

export interface Probe {
  readonly title: string;
  /** What the account must have, with `%` for the items of the list, if `value` is `undefined`. */
  readonly needs: string;
  value(list: ReadList, rooms: ReadList | undefined): Query[string] | undefined;
  /** What is sent beside the value. */
  beside?(list: ReadList): Query;
  /** Whether the page shows the effect of the value; `undefined` if it does not tell. */
  shows(page: Page, request: Asked): boolean | undefined | Promise<boolean>;
}

/** The request whose page is judged. */
export interface Asked {
  readonly list: ReadList;
  readonly rooms: ReadList | undefined;
  readonly name: string;
  readonly value: Query[string];
}

/** A text that occurs in no title, name or speech. */
const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";
const isEmpty = ({ rows, cursor }: Page) => rows.length === 0 && cursor === undefined;
const hasRows = ({ first }: ReadList) => first.rows.length > 0;
const ONE = "at least 1 %";

const textProbe = (title: string): Probe => ({
  ...{ title, needs: ONE, shows: isEmpty },
  value: (list) => (hasRows(list) ? IMPROBABLE_TEXT : undefined),
});

/** Near enough for a service to accept. */
const FAR_MS = 400 * DAY_MS;
const startOf = (row: Row) => parseTimestamp(String(row.start_time));

/** Requests a day long after all meetings on the page (`direction` 1), or long before all of them (-1). */
const dateProbe = (title: string, direction: 1 | -1): Probe => ({
  ...{ title, needs: `${ONE} with a start_time` },
  value({ first }) {
    // A time near the limit of `Date` has no such day.
    const starts = first.rows.map(startOf).filter((time) => Math.abs(time) < 8e15);
    const [outermost] = starts.sort((a, b) => direction * (b - a));
    return outermost && new Date(outermost + direction * FAR_MS).toISOString().slice(0, 10);
  },
  shows: ({ rows }, { value }) =>
    rows.every((row) => direction * (startOf(row) - Date.parse(String(value))) >= -2 * DAY_MS),
});

const common = (page: Page, other: Page) => page.ids?.filter((id) => other.ids?.includes(id)) ?? [];
const idsOf = (items: unknown) => (Array.isArray(items) ? items.filter(isRecord).map(({ id }) => String(id)) : []);

/** In the order of the checks: later ones use what earlier ones have found. */
export const PROBES: Readonly<Record<string, Probe>> = {
  limit: {
    ...{ title: "page size", needs: "at least 2 %s on one page" },
    value: ({ first }) => (first.rows.length > 1 ? 1 : undefined),
    shows(page, { list, value, name }) {
      if (page.rows.length === 1 && page.cursor !== undefined) list.before = { page, query: { [name]: value } };
      return page.rows.length === 1;
    },
  },
  cursor: {
    ...{ title: "pagination cursor", needs: "a second page of %s" },
    beside: ({ before }) => before.query,
    value: ({ before }) => (typeof before.page.cursor === "string" && before.page.cursor) || undefined,
    shows: (page, { list: { before } }) =>
      page.ids?.length && before.page.ids?.length ? common(page, before.page).length === 0 : undefined,
  },
  ids: {
    ...{ title: "filter by ids", needs: "at least 2 %s with ids on one page" },
    value: ({ first }) => (first.rows.length > 1 ? first.ids?.slice(-1) : undefined),
    shows: ({ rows, ids }, { value }) => rows.length === 1 && ids?.[0] === (value as readonly string[])[0],
  },
  scope: {
    ...{ title: "ownership scope", needs: ONE },
    value: (list) => (hasRows(list) ? "shared" : undefined),
    async shows(shared, { list, name }) {
      const owned = await list.read({ [name]: "owned" });
      if (!shared.ids || !owned.ids) throw new Inconclusive(`${name} returned items without ids`);
      return shared.ids.length + owned.ids.length > 0 && common(shared, owned).length === 0;
    },
  },
  search: textProbe("search by title"),
  // A semantic search may also find items without the text.
  q: { ...textProbe("semantic search"), shows: (page) => isEmpty(page) || undefined },
  expand: {
    ...{
      title: "expansion of related resources",
      needs: "at least 1 %, and a service that expands it on request only",
    },
    value: (list) => (hasRows(list) && !list.first.rows.some(hasExpansion(list)) ? list.expansions : undefined),
    shows({ rows }, { list }) {
      if (rows.some(hasExpansion(list))) list.expanded = rows;
      return rows.some(hasExpansion(list));
    },
  },
  status: {
    ...{ title: "filter by status", needs: ONE },
    value: ({ first: { rows } }) => rows[0] && MEETING_STATUSES.find((known) => known !== rows[0]?.status),
    shows: ({ rows }, { value }) => rows.every((row) => row.status === value),
  },
  start_date: dateProbe("first day", 1),
  end_date: dateProbe("last day", -1),
  participant: textProbe("filter by participant"),
  company: textProbe("filter by company"),
  room_id: {
    ...{ title: "filter by room", needs: "a room with all its meetings on one page, and a meeting outside of it" },
    value(list, rooms) {
      const isPart = ({ meetings }: Row) => {
        const ids = idsOf(meetings);
        return ids.length > 0 && !list.first.ids?.every((id) => ids.includes(id));
      };
      const id = rooms?.expanded.find(isPart)?.id;
      return typeof id === "string" ? id : undefined;
    },
    shows(page, { list, rooms, value }) {
      const room = rooms?.expanded.find(({ id }) => id === value);
      const inRoom = idsOf(room?.meetings);
      if (page.ids?.length && page.ids.every((id) => inRoom.includes(id))) return true;
      return page.ids?.join() === list.first.ids?.join() ? false : undefined;
    },
  },
};

const hasExpansion =
  ({ expansions }: ReadList) =>
  (row: Row) =>
    expansions.some((field) => Array.isArray(row[field]));
