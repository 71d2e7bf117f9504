/** A cursor names the list and its filters, and the sort key of the last item: a list may change between pages. */
import { ASSUMED_PAGE_SIZE } from "../../assumptions.js";
import { fromBase64Url, toBase64Url } from "../../json/base64url.js";
import { digest } from "../../json/digest.js";
import type { PageEnvelope, PageParams } from "../../schemas/page.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { LATEST_MS } from "../state/clock.js";
import { type Call, invalidParameter } from "./route.js";

const CURSOR_FORM = /^([\da-f]+):(.+)$/s;

/** The list and its filters. Page size and expansions may change between two pages. */
const listKey = ({ route, query: { cursor, limit, expand, ...filters } }: Call<PageParams & { expand?: unknown }>) =>
  digest(JSON.stringify([route.name, filters])).toString(16);

/** The sort key in the cursor of a request; an empty text without a cursor. */
function sortKeyAfter(call: Call<PageParams>): string {
  const { cursor = "" } = call.query;
  const [, list, sortKey = ""] = CURSOR_FORM.exec(fromBase64Url(cursor) ?? "") ?? [];
  if (call.context.settings.strict && cursor !== "" && list !== listKey(call)) {
    const expected = "the next_cursor of a previous response to a request with the same filters";
    throw invalidParameter(call, "cursor", `expected ${expected}`);
  }
  return sortKey;
}

/** The page of `items` that the call requests. `sortKey` returns another text for each item. */
export function paginate<T, U>(
  call: Call<PageParams>,
  items: Iterable<T>,
  sortKey: (item: T) => string,
  toWire: (item: T) => U,
): PageEnvelope<U> {
  const { limit = ASSUMED_PAGE_SIZE } = call.query;
  const after = sortKeyAfter(call);
  const remaining = Array.from(items, (item) => ({ item, key: sortKey(item) }))
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = remaining.slice(0, limit);
  const last = page.at(-1);
  const has_more = remaining.length > limit;
  return {
    data: page.map(({ item }) => toWire(item)),
    next_cursor: has_more && last !== undefined ? toBase64Url(`${listKey(call)}:${last.key}`) : null,
    has_more,
  };
}

export const newestFirst = (timestamp: string, id: string) => `${LATEST_MS - parseTimestamp(timestamp)} ${id}`;
