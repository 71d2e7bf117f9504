/**
 * Makes the pages of a list (API specification, "Page envelope"). A cursor contains the sort key of the last item, so a
 * list may change between two pages.
 */

import type { PageEnvelope, PageParams } from "../../schemas/page.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import type { EmulatorSettings } from "../options.js";
import { LATEST_MS } from "../state/clock.js";

const CURSOR = /^after:([\x20-\x7e]+)$/;

/** The sort key in a cursor, or `undefined` if the emulator did not make the cursor. */
function sortKeyIn(cursor: string): string | undefined {
  try {
    return CURSOR.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")))?.[1];
  } catch {
    return undefined;
  }
}

const cursorAfter = (sortKey: string) =>
  btoa(`after:${sortKey}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Whether the emulator made the cursor. */
export const isCursor = (cursor: string) => sortKeyIn(cursor) !== undefined;

/** The page of `items` that the query requests. `sortKey` returns another text for each item. */
export function paginate<T, U>(
  items: Iterable<T>,
  query: PageParams,
  settings: EmulatorSettings,
  sortKey: (item: T) => string,
  toWire: (item: T) => U,
): PageEnvelope<U> {
  const limit = Math.min(query.limit ?? settings.defaultPageSize, settings.maxPageSize);
  const after = sortKeyIn(query.cursor ?? "") ?? "";
  const remaining = Array.from(items, (item) => ({ item, key: sortKey(item) }))
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = remaining.slice(0, limit);
  const last = page.at(-1);
  const has_more = remaining.length > limit;
  return {
    data: page.map(({ item }) => toWire(item)),
    next_cursor: has_more && last !== undefined ? cursorAfter(last.key) : null,
    has_more,
  };
}

/** A sort key that puts the newest first. */
export const newestFirst = (timestamp: string, id: string) =>
  `${String(LATEST_MS - parseTimestamp(timestamp)).padStart(17, "0")} ${id}`;
