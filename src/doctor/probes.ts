/** For each meaning of a name, the request whose response shows whether the service uses the name. */
import { isRecord } from "../json/is-record.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { MEETING_STATUSES } from "../schemas/meeting.js";
import type { QueryRecord } from "../transport/query.js";
import type { Verdict } from "./report.js";
import { Inconclusive } from "./service-reader.js";

type ReadRow = Readonly<Record<string, unknown>>;
type ReadPage = ReturnType<typeof readPage>;

/** A page as it was received, without checks. If a row has no id, `ids` is undefined: no other page can be compared. */
export function readPage(body: unknown, query: QueryRecord) {
  if (!isRecord(body) || !Array.isArray(body.data)) throw new Inconclusive("the response is not a page");
  const { data, next_cursor, has_more } = body;
  const rows: ReadRow[] = body.data.filter(isRecord);
  const ids = idsOf(data);
  const cursor = has_more === true && typeof next_cursor === "string" ? next_cursor : "";
  return { query, rows, ids: ids.length === body.data.length ? ids : undefined, cursor };
}

/** A list as the doctor reads it, and what the probes have found about it. */
export interface ReadList {
  readonly item: string;
  /** The fields that are sent on request only. */
  readonly expansions: readonly string[];
  readonly first: ReadPage;
  /** A page before another one: if the service honours `limit`, a page of one row. */
  before: ReadPage;
  /** Rows with the expanded fields, once a request has returned such rows. */
  expanded: readonly ReadRow[];
  readonly read: (query: QueryRecord) => Promise<ReadPage>;
}

/** Sends the value under the name that is checked. */
type Ask = (value: QueryRecord[string], beside?: QueryRecord) => Promise<ReadPage>;

/** Whether the response shows the effect of the name; `undefined` if it does not tell. */
type Shows = (list: ReadList, ask: Ask, rooms: ReadList | undefined) => Promise<boolean | undefined>;

type Probe = readonly [title: string, shows: Shows];

/** What the response shows about a name. */
export async function find(
  name: string,
  opened: Promise<ReadList>,
  shows: Shows,
  rooms: ReadList | undefined,
): Promise<[verdict: Verdict, detail: string]> {
  let detail = "";
  try {
    const list = await opened;
    const ask: Ask = async (value, beside = {}) => {
      const page = await list.read({ ...beside, [name]: value });
      const { length } = page.rows;
      const asked = typeof value === "number" ? `${name}=${value}` : name;
      detail = `${asked} returned ${length} ${list.item}${length === 1 ? "" : "s"}`;
      return page;
    };
    const shown = await shows(list, ask, rooms);
    if (shown === undefined) return ["undecided", `${detail}, which does not tell`];
    return [shown ? "confirmed" : "differs", detail];
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const { refusedWith, message } = error;
    if (refusedWith === undefined) return ["undecided", message];
    return ["differs", `the service refuses ${name} with ${refusedWith}`];
  }
}

/** Leaves a name undecided if the account has too little data. */
export function needed<T>(value: T | false | undefined, what: string): T {
  if (value === undefined || value === false) throw new Inconclusive(`needs ${what}`);
  return value;
}

const oneRow = ({ first, item }: ReadList): ReadRow => needed(first.rows[0], `at least 1 ${item}`);

const formatOf = ({ rows: [document] }: ReadPage): string =>
  needed(typeof document?.format === "string" && document.format, "a response with a format");

export const idsOf = (items: unknown): string[] =>
  Array.isArray(items) ? items.flatMap((item) => (isRecord(item) && typeof item.id === "string" ? [item.id] : [])) : [];

const common = (page: ReadPage, other: ReadPage) => page.ids?.filter((id) => other.ids?.includes(id)) ?? [];

/** A text that occurs in no title, name or speech. */
const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";

/** Filters by a value that nothing has. `found` is what rows show nevertheless. */
const emptyProbe = (title: string, found?: false, value = IMPROBABLE_TEXT): Probe => [
  title,
  async (list, ask) => {
    oneRow(list);
    const { rows, cursor } = await ask(value);
    return (rows.length === 0 && cursor === "") || found;
  },
];

/** In the order of the checks: later ones use what earlier ones have found. */
export const PROBES: Readonly<Record<string, Probe>> = {
  limit: [
    "page size",
    async (list, ask) => {
      needed(list.first.rows.length > 1, `at least 2 ${list.item}s on one page`);
      const page = await ask(1);
      if (page.rows.length === 1 && page.cursor !== "") list.before = page;
      return page.rows.length === 1;
    },
  ],
  cursor: [
    "pagination cursor",
    async ({ before, item }, ask) => {
      const page = await ask(needed(before.cursor !== "" && before.cursor, `a second page of ${item}s`), before.query);
      return page.ids?.length && before.ids?.length ? common(page, before).length === 0 : undefined;
    },
  ],
  ids: [
    "filter by ids",
    async ({ first, item }, ask) => {
      const id = needed(first.rows.length > 1 && first.ids?.at(-1), `at least 2 ${item}s with ids on one page`);
      const { rows, ids } = await ask([id]);
      return rows.length === 1 && ids?.[0] === id;
    },
  ],
  scope: [
    "ownership scope",
    async (list, ask) => {
      oneRow(list);
      const [shared, owned] = [await ask("shared"), await ask("owned")];
      if (!shared.ids || !owned.ids) return undefined;
      return shared.ids.length + owned.ids.length > 0 && common(shared, owned).length === 0;
    },
  ],
  search: emptyProbe("search by title", false),
  // A semantic search may also find items without the text.
  q: emptyProbe("semantic search"),
  expand: [
    "expansion of related resources",
    async (list, ask) => {
      const isExpanded = (row: ReadRow) => list.expansions.some((field) => Array.isArray(row[field]));
      const isPlain = !isExpanded(oneRow(list)) && !list.first.rows.some(isExpanded);
      needed(isPlain, `a service that expands a ${list.item} on request only`);
      const { rows } = await ask(list.expansions);
      if (rows.some(isExpanded)) list.expanded = rows;
      return rows.some(isExpanded);
    },
  ],
  format: [
    "output format",
    async ({ first }, ask) => {
      const usual = formatOf(first);
      const requested = DOCUMENT_FORMATS.find((format) => format !== usual) ?? "html";
      const format = formatOf(await ask(requested));
      return format === requested || (format === usual ? false : undefined);
    },
  ],
  status: [
    "filter by status",
    async (list, ask) => {
      const { status } = oneRow(list);
      const [other] = MEETING_STATUSES.filter((known) => known !== status);
      const { rows } = await ask(other as string);
      return rows.every((row) => row.status === other);
    },
  ],
  start_date: emptyProbe("first day", false, "2099-01-01"),
  end_date: emptyProbe("last day", false, "2000-01-01"),
  participant: emptyProbe("filter by participant", false),
  company: emptyProbe("filter by company", false),
  room_id: [
    "filter by room",
    async ({ first }, ask, rooms) => {
      const part = rooms?.expanded.find(({ meetings }) => {
        const inRoom = idsOf(meetings);
        return inRoom.length > 0 && !first.ids?.every((id) => inRoom.includes(id));
      });
      const room = needed(part, "a room with all its meetings on one page, and a meeting outside of it");
      const { ids } = await ask(String(room.id));
      if (ids?.length && ids.every((id) => idsOf(room.meetings).includes(id))) return true;
      return ids?.join() === first.ids?.join() ? false : undefined;
    },
  ],
};
