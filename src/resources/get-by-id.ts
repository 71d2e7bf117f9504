/** Reads one item of a list by its id, for resources that have no endpoint for a single item. */
import { NotFoundError } from "../errors/api-error.js";
import { addCallFacts } from "../errors/notetaker-error.js";
import { isRecord } from "../json/is-record.js";
import { ignoredFilterError, MAX_SEARCHED_PAGES } from "../lists/ignored-filter.js";
import { type IdKind, idIssues } from "../schemas/ids.js";
import { ApiPromise, type ApiResponse } from "../transport/api-promise.js";
import { checkData, type Operation, schemaOf } from "../transport/operation.js";
import { NO_OPTIONS, type RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { sharingDeadline } from "./several-requests.js";

/** The list, with one id, and the schema of an item as its `response`. */
interface GetOperation<T> extends Operation<T> {
  readonly ids: { readonly [Kind in IdKind]?: string };
  readonly names: "rooms" | "meetings";
}

/** What a page has. A body that is not a page is the item itself: the schema of the item refuses it. */
interface SearchedPage {
  readonly item?: { readonly value: unknown };
  /** Where the search continues, because the page has other items and is not the last one. */
  readonly next?: unknown;
}

/** Requests the list with a filter for one id, and searches further pages if the service ignores the filter. */
export function getById<T>(
  transport: Transport,
  operation: GetOperation<T>,
  options: RequestOptions | undefined,
): ApiPromise<T> {
  return new ApiPromise(searchList(transport, operation, options));
}

async function searchList<T>(
  transport: Transport,
  operation: GetOperation<T>,
  options: RequestOptions = NO_OPTIONS,
): Promise<ApiResponse<T>> {
  const [[path, id]] = Object.entries(operation.ids) as [[IdKind, string]];
  const issues = idIssues(path, id);
  const filter = transport.config.names[operation.names].ids;
  const nextOptions = sharingDeadline(transport, options);
  let attempts = 0;
  let page: SearchedPage = {};
  let cursor: string | undefined;
  for (let pages = 0; pages <= MAX_SEARCHED_PAGES; pages += 1) {
    const found = await transport.call<T>(
      {
        ...operation,
        issues,
        addedParams: { ids: [id], cursor },
        read(body, context) {
          page = readSearchedPage(body, id, pages > 0);
          attempts += context.attempts;
          return page.item ? checkData(schemaOf(operation.response, context.params), page.item.value, context) : {};
        },
      },
      nextOptions(),
    );
    if (page.item !== undefined) return found;
    if (page.next === undefined) {
      throw addCallFacts(new NotFoundError({ message: `${operation.name}: the list has no ${id}` }), { attempts });
    }
    if (typeof page.next !== "string" || page.next === cursor) break;
    cursor = page.next;
  }
  throw ignoredFilterError(operation.name, id, filter, attempts);
}

/** If an earlier page had other items, the service ignores the filter, and an empty page is not the end. */
function readSearchedPage(body: unknown, id: string, wasIgnored: boolean): SearchedPage {
  if (!isRecord(body) || !Array.isArray(body.data)) return { item: { value: body } };
  const rows = body.data.filter(isRecord);
  const value = rows.find((row) => row.id === id);
  if (value !== undefined) return { item: { value } };
  const isIgnored = wasIgnored || rows.some((row) => typeof row.id === "string");
  return isIgnored && body.has_more === true ? { next: body.next_cursor ?? null } : {};
}
