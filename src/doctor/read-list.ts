/** A list that the doctor has read, and what its checks have found about it. */
import { isRecord } from "../json/is-record.js";
import type { List } from "./lists.js";
import { Inconclusive, orReason, type Query, type ServiceReader } from "./service-reader.js";

/** A page as it was received, without checks. */
interface ReadPage {
  readonly rows: readonly Record<string, unknown>[];
  readonly ids: readonly string[];
  /** Whether every row has an id. Only then can two pages be compared. */
  readonly hasIds: boolean;
  readonly hasMore: boolean;
  readonly nextCursor: string | undefined;
}

function readListPage(body: unknown): ReadPage {
  const data: unknown = isRecord(body) ? body.data : body;
  if (!Array.isArray(data)) throw new Inconclusive("the response is not a page");
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

export class ReadList {
  /** A page of one item, if there is a next page, and the query of its request. */
  small: { readonly page: ReadPage; readonly query: Query } | undefined;
  /** Rows with the expanded fields, once a request has returned such rows. */
  expanded: readonly Record<string, unknown>[];
  readonly ids: Set<string>;

  private constructor(
    readonly kind: List,
    /** The list without parameters. */
    readonly first: ReadPage,
    private readonly read: (query: Query) => Promise<unknown>,
  ) {
    this.expanded = first.rows;
    this.ids = new Set(first.ids);
  }

  /** Reads a list without parameters. If that fails, resolves to the reason. */
  static from(reader: ServiceReader, kind: List, meetingId?: unknown): Promise<ReadList | string> {
    const read = (query: Query = {}) => reader.read(kind.endpoint, { meetingId }, query);
    return orReason(kind.endpoint, async () => new ReadList(kind, readListPage(await read()), read));
  }

  async page(query: Query): Promise<ReadPage> {
    const page = readListPage(await this.read(query));
    for (const id of page.ids) this.ids.add(id);
    return page;
  }
}
