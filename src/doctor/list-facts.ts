/**
 * The facts that the doctor has found about one list, and the probes that show whether a name has an effect on the
 * list.
 */
import { isRecord } from "../json/is-record.js";
import type { ReadOperation } from "./drift-log.js";
import type { Query, Reading, ServiceReader } from "./service-reader.js";

/** What the response to a request with a name shows. `refused`: a 4xx. `unclear`: none of the others. */
export type ProbeResult = "honoured" | "ignored" | "refused" | "unclear";

/** Sends a parameter with this name, or with each of several names in one request. */
export type Probe = (...names: string[]) => Promise<ProbeResult>;

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
const IMPROBABLE_TEXT = "zqxjkvbpw7391zqxjkvbpw";

/** The page in a response, or `undefined` if the response has no list. */
export function readPage(reading: Reading): ReadPage | undefined {
  const body = reading.outcome === "read" ? reading.body : undefined;
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

/** A query with the same value for each name. */
export const under = (names: readonly string[], value: Query[string]): Query =>
  Object.fromEntries(names.map((name) => [name, value]));

const shows = (isHonoured: boolean): ProbeResult => (isHonoured ? "honoured" : "ignored");

const isSameList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((id, index) => id === right[index]);
const areDisjoint = (left: readonly string[], right: readonly string[]) => !left.some((id) => right.includes(id));

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

  /** Requests a page. If the response has no page, resolves to what that shows of the names in the query. */
  async #page(query: Query): Promise<ReadPage | ProbeResult> {
    const reading = await this.#reader.read(this.#operation, this.#path, query);
    if (reading.outcome === "refused") return "refused";
    const page = readPage(reading);
    for (const id of page?.ids ?? []) this.ids.add(id);
    return page ?? "unclear";
  }

  /** A probe that sends `value`, and passes the received page to `result`. */
  #probe(value: Query[string], result: (page: ReadPage) => ProbeResult): Probe {
    return async (...names) => {
      const page = await this.#page(under(names, value));
      return typeof page === "string" ? page : result(page);
    };
  }

  /** Whether the account surely has at least two items. */
  get hasTwo(): boolean {
    return this.first.rows.length > 1 || this.first.hasMore;
  }

  /** Requests a page of one item. If the list without parameters has at most one item, requests a page of two. */
  readonly limitProbe: Probe = async (...names) => {
    const size = this.first.rows.length > 1 ? 1 : 2;
    const query = under(names, size);
    const page = await this.#page(query);
    if (typeof page === "string") return page;
    const isHonoured = page.rows.length === size;
    if (isHonoured && page.hasMore && names.length === 1) this.#small = { page, query };
    return shows(isHonoured);
  };

  /** The size to which the service limits a page of 100, or `undefined` if no limit was seen. */
  async pageSizeCap(name: string): Promise<number | undefined> {
    if (!this.first.hasMore) return undefined;
    const page = await this.#page({ [name]: 100 });
    return typeof page !== "string" && page.hasMore && page.rows.length < 100 ? page.rows.length : undefined;
  }

  /** Requests the page after a known page. `undefined` if no page with `has_more` and a cursor was received. */
  get cursorProbe(): Probe | undefined {
    const small = this.#small?.page.nextCursor === undefined ? undefined : this.#small;
    const { page: before, query } = small ?? { page: this.first, query: {} };
    const { nextCursor } = before;
    if (!before.hasMore || nextCursor === undefined) return undefined;
    return async (...names) => {
      if (before.ids.length === 0) return "unclear";
      const page = await this.#page({ ...query, ...under(names, nextCursor) });
      if (typeof page === "string") return page;
      if (page.ids.length === 0 || !page.hasIds || !before.hasIds) return "unclear";
      return shows(areDisjoint(page.ids, before.ids));
    };
  }

  /** Requests one item by its id. `undefined` if the account has not shown two items. */
  get idsProbe(): Probe | undefined {
    const isPageOfOne = this.first.rows.length === 1;
    // If the first page has only one row, its id is not used: the row is returned even if no name is honoured.
    const target = [...this.ids].filter((id) => !(isPageOfOne && id === this.first.ids[0])).at(-1);
    if (this.ids.size < 2 || target === undefined) return undefined;
    return this.#probe([target], ({ rows, ids }) => shows(rows.length === 1 && ids[0] === target));
  }

  /** Requests the shared items, and the owned items. The two lists must have no item in common. */
  readonly scopeProbe: Probe = async (...names) => {
    const shared = await this.#page(under(names, "shared"));
    if (typeof shared === "string") return shared;
    const owned = await this.#page(under(names, "owned"));
    if (typeof owned === "string") return owned;
    if (!shared.hasIds || !owned.hasIds) return "unclear";
    return shows(shared.ids.length + owned.ids.length > 0 && areDisjoint(shared.ids, owned.ids));
  };

  /** Requests a filter that no item matches, which returns an empty page. */
  get emptyProbe(): Probe {
    return this.#probe(IMPROBABLE_TEXT, ({ rows, hasMore }) => shows(rows.length === 0 && !hasMore));
  }

  /** Requests a semantic search. It may also find items without the text, so only an empty page proves something. */
  get semanticProbe(): Probe {
    return this.#probe(IMPROBABLE_TEXT, ({ rows }) => (rows.length === 0 ? "honoured" : "unclear"));
  }

  /** Requests fields that are sent only on request. `undefined` if they are always sent. */
  expandProbe(fields: readonly string[]): Probe | undefined {
    const hasField = (row: Record<string, unknown>) => fields.some((field) => Array.isArray(row[field]));
    if (this.first.rows.some(hasField)) return undefined;
    return this.#probe(fields, ({ rows }) => {
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
    return this.#probe(value, ({ rows }) => shows(rows.every(passes)));
  }

  /** Requests a filter, after which the page must have only these ids. */
  subsetProbe(value: string, ids: readonly string[]): Probe {
    return this.#probe(value, (page) => {
      if (isSameList(page.ids, this.first.ids)) return "ignored";
      return page.ids.length > 0 && page.ids.every((id) => ids.includes(id)) ? "honoured" : "unclear";
    });
  }
}

/** Why a list cannot be read. */
export const failureReason = (reading: Reading): string =>
  reading.outcome === "read" ? "the response is not a page" : reading.reason;
