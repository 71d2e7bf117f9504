/** The facts that the doctor has found about one list. */
import { isRecord } from "../json/is-record.js";
import type { List } from "./lists.js";
import { Inconclusive, orReason, type Query, type ServiceReader } from "./service-reader.js";

/** A page as it was received, without checks. */
export interface ReadPage {
  readonly rows: readonly Record<string, unknown>[];
  readonly ids: readonly string[];
  /** Whether every row has an id. Only then can two pages be compared. */
  readonly hasIds: boolean;
  readonly hasMore: boolean;
  readonly nextCursor: string | undefined;
}

function readPage(body: unknown): ReadPage {
  const data: unknown = isRecord(body) ? body.data : body;
  if (!Array.isArray(data)) throw new Inconclusive("the response is not a page", "unclear");
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

export class ListFacts {
  readonly #reader: ServiceReader;
  readonly list: List;
  readonly #meetingId: string | undefined;
  /** The list without parameters. */
  readonly first: ReadPage;
  /** A page of the smallest size, and the query of its request. */
  small: { readonly page: ReadPage; readonly query: Query } | undefined;
  /** Rows with the expanded fields, once a request has returned such rows. */
  expanded: readonly Record<string, unknown>[];
  /** Every id that was received, in order. */
  readonly ids: Set<string>;

  constructor(reader: ServiceReader, list: List, meetingId: string | undefined, first: ReadPage) {
    this.#reader = reader;
    this.list = list;
    this.#meetingId = meetingId;
    this.first = first;
    this.expanded = first.rows;
    this.ids = new Set(first.ids);
  }

  /** Reads a list without parameters. If that fails, resolves to the reason. */
  static read(reader: ServiceReader, list: List, meetingId?: string): Promise<ListFacts | string> {
    return orReason(list.endpoint, async () => {
      return new ListFacts(reader, list, meetingId, readPage(await reader.read(list.endpoint, meetingId)));
    });
  }

  async page(query: Query): Promise<ReadPage> {
    const page = readPage(await this.#reader.read(this.list.endpoint, this.#meetingId, query));
    for (const id of page.ids) this.ids.add(id);
    return page;
  }

  /** Whether the account surely has at least two items. */
  get hasTwo(): boolean {
    return this.first.rows.length > 1 || this.first.hasMore;
  }
}
