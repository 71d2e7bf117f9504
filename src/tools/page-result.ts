/** A page of a list as a result that fits into the context of a model, with a cursor of the tool's own. */
import type { InvalidRow } from "../schemas/page-rows.js";
import { brief, jsonLength, MAX_RESULT } from "./cut-text.js";
import type { ToolResult } from "./tool.js";

/** Something that a result lacks, so that a model does not take the result for complete. */
export interface LeftOut {
  readonly id?: unknown;
  readonly reason: string;
}

/** The member `left_out` of a result, if something is missing from it. */
export const withLeftOut = (items: readonly LeftOut[]): { left_out?: readonly LeftOut[] } =>
  items.length === 0 ? {} : { left_out: items };

/** An item as a model gets it, and what of it was left out. */
export interface Facts {
  readonly item: object;
  readonly leftOut?: readonly LeftOut[];
}

/** The position at which a part of a list begins: in the page of the service that `cursor` and `limit` ask for. */
export interface ListPosition {
  readonly position: number;
  readonly params: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
}

/** `@POSITION.LIMIT@CURSOR`, or the cursor of the service as it is where a part begins with its page. */
const OWN_CURSOR = /^@(\d{1,5})\.(\d{1,3})@(.*)$/s;

/** A cursor that is longer would leave no room for items. */
const MAX_CURSOR = 2_000;
const MAX_LISTED_INVALID = 10;

/** The maximum number of items of a part, even if the service ignores the limit. */
const MAX_ITEMS = 100;

/**
 * Reads the cursor of a previous result, and returns the parameters that ask the service for its page: with the limit
 * that it had.
 */
export function listPosition<T extends ListPosition["params"]>(
  defaultLimit: number | undefined,
  { cursor, limit = defaultLimit, ...input }: T,
) {
  const [, position, pageLimit, ofService] = OWN_CURSOR.exec(cursor ?? "") ?? [];
  const asked = position === undefined ? { limit, cursor } : { limit: Number(pageLimit), cursor: ofService };
  const params = {
    ...input,
    ...(asked.limit ? { limit: asked.limit } : {}),
    ...(asked.cursor ? { cursor: asked.cursor } : {}),
  };
  return { position: Number(position ?? 0), params };
}

interface ReadPage<T> {
  readonly data: readonly T[];
  readonly invalid?: readonly InvalidRow[] | undefined;
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
}

/** What could not be read of a page. The reasons name fields, never their values. */
function unreadable(invalid: readonly InvalidRow[]): LeftOut[] {
  const listed = invalid.slice(0, MAX_LISTED_INVALID).map(({ id, issues }) => {
    const paths = brief(issues.map(({ path }) => path || "the whole").join(", "), 200);
    return {
      ...(id === undefined ? {} : { id: brief(id) }),
      reason: `the service sent it in an unexpected form (${paths})`,
    };
  });
  const more = invalid.length - listed.length;
  return more === 0 ? listed : [...listed, { reason: `${more} further ones in an unexpected form` }];
}

/** The cursor of the service, in a form that is not mistaken for one of the tool's own. */
const nextPage = (cursor: string, limit: number) => (cursor.startsWith("@") ? `@0.${limit}@${cursor}` : cursor);

/**
 * The part of `page` that begins at the position and fits: its items under `name`, what was left out, and the cursor of
 * the next part. At least one item is returned: the facts of one item always fit.
 */
export function pageResult<T>(
  name: string,
  page: ReadPage<T>,
  { position, params: { limit = 0, cursor = "" } }: ListPosition,
  facts: (item: T) => Facts,
  missing: readonly LeftOut[] = unreadable(page.invalid ?? []),
): ToolResult {
  const leftOut = position === 0 ? [...missing] : [];
  const tooLong = [cursor, page.next_cursor ?? ""].some((text) => jsonLength(text) > MAX_CURSOR);
  const frame = { [name]: [], left_out: [], next_cursor: "" };
  let room = MAX_RESULT - jsonLength(frame) - jsonLength(leftOut) - MAX_CURSOR - 200;
  const items: object[] = [];
  let index = position;
  for (; index < page.data.length && items.length < MAX_ITEMS; index += 1) {
    const { item, leftOut: ofItem = [] } = facts(page.data[index] as T);
    room -= jsonLength(item) + jsonLength(ofItem);
    if (room < 0 && items.length > 0) break;
    items.push(item);
    leftOut.push(...ofItem);
  }
  const hasMore = index < page.data.length || page.has_more;
  if (hasMore && tooLong) leftOut.push({ reason: "what follows: the cursor of the service is too long" });
  const next = index < page.data.length ? `@${index}.${limit}@${cursor}` : nextPage(page.next_cursor ?? "", limit);
  return { [name]: items, ...withLeftOut(leftOut), next_cursor: hasMore && !tooLong ? next : null };
}
