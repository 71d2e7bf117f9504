/**
 * The facts that the doctor has found about one list, and the probes that show whether a name has an effect on the
 * list.
 */
import { isRecord } from "../../json/is-record.js";
import type { ReadOperation } from "../service/drift-log.js";
import type { Query, Reading, ServiceReader } from "../service/service-reader.js";
import type { Probe, ProbeResult } from "./find-name.js";

/** A page as it was received, without checks. */
export interface ReadPage {
  readonly rows: readonly Record<string, unknown>[];
  readonly ids: readonly string[];
  /** Whether every row has an id. Only then can two pages be compared. */
  readonly hasIds: boolean;
  readonly hasMore: boolean;
  readonly nextCursor: string | undefined;
}

/** A text that occurs in no title, name or speech. */
export const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";

/** The page in a response, or `undefined` if the response has no list. */
export function readPage(body: unknown): ReadPage | undefined {
  const data: unknown = isRecord(body) ? body.data : body;
  if (!Array.isArray(data)) return undefined;
  const rows = data.filter(isRecord);
  const ids = rows.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  const cursor = isRecord(body) ? body.next_cursor : undefined;
  return {
    rows,
    ids,
    hasIds: ids.length === data.length,
    hasMore: isRecord(body) && body.has_more === true,
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : undefined,
  };
}

const shows = (isHonoured: boolean): ProbeResult => ({ shows: isHonoured ? "honoured" : "ignored" });
const UNCLEAR: ProbeResult = { shows: "unclear" };

const isSameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((id, index) => id === right[index]);
const areDisjoint = (left: readonly string[], right: readonly string[]) => !left.some((id) => right.includes(id));

/** A query with the same value for each name. */
const under = (names: readonly string[], value: Query[string]): Query =>
  Object.fromEntries(names.map((name) => [name, value]));

export class ListFacts {
  readonly #reader: ServiceReader;
  readonly #operation: ReadOperation;
  readonly #path: string;
  /** The list without parameters. */
  readonly first: ReadPage;
  /** A page of the smallest size, and the query of its request. */
  #small: { readonly page: ReadPage; readonly query: Query } | undefined;
  /** Rows with the expanded fields, once a request has returned such rows. */
  expanded: readonly Record<string, unknown>[];
  /** Every id that was received, in order. */
  readonly ids = new Set<string>();

  constructor(reader: ServiceReader, operation: ReadOperation, path: string, first: ReadPage) {
    this.#reader = reader;
    this.#operation = operation;
    this.#path = path;
    this.first = first;
    this.expanded = first.rows;
    for (const id of first.ids) this.ids.add(id);
  }

  /** Requests a page. If the response has no page, resolves to the result for the names in the query. */
  async #page(query: Query): Promise<ReadPage | ProbeResult> {
    const reading = await this.#reader.read(this.#operation, this.#path, query);
    if (reading.outcome === "refused") return { shows: "refused", names: reading.names };
    const page = reading.outcome === "read" ? readPage(reading.body) : undefined;
    for (const id of page?.ids ?? []) this.ids.add(id);
    return page ?? UNCLEAR;
  }

  /** A probe that sends `value` with each name, and passes the received page to `isHonoured`. */
  readonly #compare =
    (value: Query[string], isHonoured: (page: ReadPage) => ProbeResult): Probe =>
    async (names) => {
      const page = await this.#page(under(names, value));
      return "shows" in page ? page : isHonoured(page);
    };

  /** Whether the account surely has at least two items. */
  get hasTwo(): boolean {
    return this.first.rows.length > 1 || this.first.hasMore;
  }

  /** Requests a page of one item. If the list without parameters has at most one item, requests a page of two. */
  get limitProbe(): Probe {
    const size = this.first.rows.length > 1 ? 1 : 2;
    return async (names) => {
      const query = under(names, size);
      const page = await this.#page(query);
      if ("shows" in page) return page;
      const isHonoured = page.rows.length === size;
      if (isHonoured && page.hasMore && names.length === 1) this.#small = { page, query };
      return shows(isHonoured);
    };
  }

  /** The size to which the service limits a page of 100, or `undefined` if no limit was seen. */
  async pageSizeCap(name: string): Promise<number | undefined> {
    if (!this.first.hasMore) return undefined;
    const page = await this.#page({ [name]: 100 });
    return !("shows" in page) && page.hasMore && page.rows.length < 100 ? page.rows.length : undefined;
  }

  /** A page with `has_more` and a cursor, if one was received. */
  get #pageBeforeNext(): { readonly page: ReadPage; readonly query: Query } | undefined {
    if (this.#small?.page.nextCursor !== undefined) return this.#small;
    return this.first.hasMore && this.first.nextCursor !== undefined ? { page: this.first, query: {} } : undefined;
  }

  get hasNextPage(): boolean {
    return this.#pageBeforeNext !== undefined;
  }

  /** Requests the page after a known page. */
  get cursorProbe(): Probe {
    const before = this.#pageBeforeNext;
    const cursor = before?.page.nextCursor;
    return async (names) => {
      if (before === undefined || cursor === undefined || before.page.ids.length === 0) return UNCLEAR;
      const page = await this.#page({ ...before.query, ...under(names, cursor) });
      if ("shows" in page) return page;
      if (page.ids.length === 0 || !page.hasIds || !before.page.hasIds) return UNCLEAR;
      return shows(areDisjoint(page.ids, before.page.ids));
    };
  }

  /**
   * Requests one item by its id. Each name is sent with another id, so the item in the response shows which name was
   * honoured.
   */
  get idsProbe(): Probe | undefined {
    const isPageOfOne = this.first.rows.length === 1;
    // If the first page has only one row, its id is not used: the row is returned even if no name is honoured.
    const targets = [...this.ids].filter((id) => !(isPageOfOne && id === this.first.ids[0])).reverse();
    if (this.ids.size < 2 || targets.length === 0) return undefined;
    return async (names) => {
      const targetOf = (name: string) => targets[names.indexOf(name) % targets.length] ?? "";
      const page = await this.#page(Object.fromEntries(names.map((name) => [name, [targetOf(name)]])));
      if ("shows" in page) return page;
      if (page.rows.length !== 1) return shows(false);
      const honoured = names.filter((name) => targetOf(name) === page.ids[0]);
      return honoured.length === 0 ? shows(false) : { shows: "honoured", names: honoured };
    };
  }

  /**
   * Requests the shared items, and then the owned items. The two lists must have no item in common. If the first filter
   * returns the same page as no filter, the name counts as ignored, and the second list is not requested. In an account
   * in which all items are shared, that is wrong: see {@link ownedProbe}.
   */
  get scopeProbe(): Probe {
    return this.#scopeProbe("shared", "owned");
  }

  /** Like `scopeProbe`, for an account in which all items are shared. */
  get ownedProbe(): Probe {
    return this.#scopeProbe("owned", "shared");
  }

  #scopeProbe(scope: string, opposite: string): Probe {
    return async (names) => {
      const page = await this.#page(under(names, scope));
      if ("shows" in page) return page;
      if (!page.hasIds) return UNCLEAR;
      if (isSameList(page.ids, this.first.ids)) return shows(false);
      const other = await this.#page(under(names, opposite));
      if ("shows" in other) return other;
      if (!other.hasIds) return UNCLEAR;
      return shows(page.ids.length + other.ids.length > 0 && areDisjoint(page.ids, other.ids));
    };
  }

  /** Requests a filter that no item matches, which returns an empty page. */
  emptyProbe(value: string): Probe {
    return this.#compare(value, ({ rows, hasMore }) => shows(rows.length === 0 && !hasMore));
  }

  /** Requests a semantic search. It may also find items without the text, so only an empty page proves something. */
  get semanticProbe(): Probe {
    return this.#compare(IMPROBABLE_TEXT, ({ rows }) => (rows.length === 0 ? shows(true) : UNCLEAR));
  }

  /** Requests fields that are sent only on request. `undefined` if they are always sent. */
  expandProbe(fields: readonly string[]): Probe | undefined {
    const hasField = (row: Record<string, unknown>) => fields.some((field) => Array.isArray(row[field]));
    if (this.first.rows.some(hasField)) return undefined;
    return this.#compare(fields, ({ rows }) => {
      const isHonoured = rows.some(hasField);
      if (isHonoured) this.expanded = rows;
      return shows(isHonoured);
    });
  }

  /**
   * Requests a filter, after which the page must have only rows that match. `undefined` if all rows of the list match.
   */
  filterProbe(value: string, passes: (row: Record<string, unknown>) => boolean): Probe | undefined {
    if (this.first.rows.every(passes)) return undefined;
    return this.#compare(value, ({ rows }) => shows(rows.every(passes)));
  }

  /** Requests a filter, after which the page must have only these ids. */
  subsetProbe(value: string, ids: readonly string[]): Probe {
    return this.#compare(value, (page) => {
      if (isSameList(page.ids, this.first.ids)) return shows(false);
      return page.ids.length > 0 && page.ids.every((id) => ids.includes(id)) ? shows(true) : UNCLEAR;
    });
  }
}

/** Why a list cannot be read. */
export function failureReason(reading: Reading): string {
  if (reading.outcome === "failed") return reading.reason;
  return reading.outcome === "refused" ? `the endpoint responds with ${reading.status}` : "the response is not a page";
}
