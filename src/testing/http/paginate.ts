/** Interface, "Page envelope". A cursor names the last item's place, so that a list may change between two pages. */
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../schemas/page.js";
import type { QueryRule } from "./route.js";
import { integerFrom, type Rule } from "./rules.js";

/** Level A. */
const PAGE_SIZE_DEFAULT = 25;

const CURSOR = /^after:([\x20-\x7e]+)$/;

function placeOf(cursor: string): string | undefined {
  try {
    return CURSOR.exec(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")))?.[1];
  } catch {
    return undefined;
  }
}

const cursorFor = (place: string) =>
  btoa(`after:${place}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const cursorRule: Rule = (value) =>
  typeof value === "string" && placeOf(value) !== undefined
    ? undefined
    : { msg: "Input should be the next_cursor of a previous response", type: "value_error" };

/** The two parameters that every list takes, under the names in force. */
export const pageQuery = (names: { cursor: string; limit: string }): Record<string, QueryRule> => ({
  [names.cursor]: { rule: cursorRule },
  [names.limit]: { rule: integerFrom(PAGE_SIZE_MIN, PAGE_SIZE_MAX) },
});

export interface PageBody<T> {
  data: T[];
  next_cursor: string | null;
  has_more: boolean;
}

/** The page of `items` that the query asks for. `place` gives each item a text that the list is in order of. */
export function paginate<T, U>(
  items: readonly T[],
  place: (item: T) => string,
  query: URLSearchParams,
  names: { cursor: string; limit: string },
  shown: (item: T) => U,
): PageBody<U> {
  const limit = Number(query.get(names.limit) ?? PAGE_SIZE_DEFAULT);
  const cursor = query.get(names.cursor);
  const after = cursor === null ? undefined : placeOf(cursor);
  const rest = after === undefined ? items : items.filter((item) => place(item) > after);
  const has_more = rest.length > limit;
  const data = rest.slice(0, limit);
  return { data: data.map(shown), next_cursor: has_more ? cursorFor(place(data.at(-1)!)) : null, has_more };
}

/** A place that puts the newest first. */
export const newestFirst = (timestamp: string, id: string) =>
  `${String(9_999_999_999_999 - Date.parse(timestamp)).padStart(13, "0")} ${id}`;

export function sortedByKey<T>(items: Iterable<T>, place: (item: T) => string): T[] {
  const placed = Array.from(items, (item) => ({ item, place: place(item) }));
  placed.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
  return placed.map(({ item }) => item);
}
