/** A page of a list as a result that fits into the context of a model, with a cursor of the tool's own. */
import type { InvalidRow } from "../schemas/page-rows.js";
import { brief, jsonLength, MAX_RESULT } from "./cut-text.js";
import type { ToolResult } from "./tool.js";

/** Something that a result lacks, so that a model does not take the result for complete. */
export interface LeftOut {
  readonly id?: unknown;
  readonly reason: string;
}

export const withLeftOut = (items: readonly LeftOut[]): { left_out?: readonly LeftOut[] } =>
  items.length === 0 ? {} : { left_out: items };

export interface Facts {
  readonly item: object;
  readonly leftOut?: readonly LeftOut[];
}

/** The largest page: each of its items has room for its main facts. */
export const MAX_ROWS = 20;

/** A cursor that is longer would leave no room for items. */
const MAX_CURSOR = 2_000;
/** The brackets and names of a page, and the reasons that concern the whole of it. */
const FRAME = 400;
const MAX_LISTED_INVALID = 10;

/** A cursor of the tool's own: a position in a page of the service, and the service's cursor of this page. */
const OWN_CURSOR = /^@(\d{1,9})@(.*)$/s;

const ownCursor = (position: number, cursor: string) =>
  position === 0 && !OWN_CURSOR.test(cursor) ? cursor : `@${position}@${cursor}`;

/** Where a result begins: at a position in the page of the service that `params` ask for. */
interface Start {
  readonly position: number;
  readonly params: { readonly limit: number; readonly cursor: string | undefined };
}

/** Reads the limit and the cursor of a tool's input. */
export function readStart(limit = MAX_ROWS, cursor = ""): Start {
  const [, position = "0", ofService = cursor] = OWN_CURSOR.exec(cursor) ?? [];
  return { position: Number(position), params: { limit, cursor: ofService === "" ? undefined : ofService } };
}

interface ToolPage<T> {
  readonly data: readonly T[];
  readonly invalid?: readonly InvalidRow[] | undefined;
  readonly has_more: boolean;
  readonly next_cursor?: string | null | undefined;
}

/** What could not be read of a page. The reasons name fields, never their values. */
function leftOutRows(invalid: readonly InvalidRow[]): LeftOut[] {
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

/**
 * The items of `page` from `start` on under `name`, what was left out, and the cursor of what follows. `facts` describes
 * an item in about `room` characters of JSON. The rest of a page that is longer than it was asked for, or than fits,
 * comes with the next result.
 */
export function pageResult<T>(
  name: string,
  page: ToolPage<T>,
  { position, params: { limit, cursor = "" } }: Start,
  facts: (item: T, room: number) => Facts,
  missing: readonly LeftOut[] = leftOutRows(page.invalid ?? []),
): ToolResult {
  const leftOut = position === 0 ? [...missing] : [];
  const items: object[] = [];
  let room = MAX_RESULT - MAX_CURSOR - FRAME - jsonLength(leftOut);
  const rows = page.data.slice(position, position + limit);
  for (const row of rows) {
    const { item, leftOut: ofItem = [] } = facts(row, Math.floor(room / (rows.length - items.length)));
    room -= jsonLength(item) + jsonLength(ofItem);
    if (room < 0) break;
    items.push(item);
    leftOut.push(...ofItem);
  }
  const end = position + items.length;
  const following = (page.has_more && page.next_cursor) || null;
  const ofPage = following === null ? null : ownCursor(0, following);
  const next = end < page.data.length ? ownCursor(end, cursor) : ofPage;
  const isTooLong = jsonLength(next) > MAX_CURSOR;
  if (isTooLong) leftOut.push({ reason: "what follows: the cursor of the service is too long" });
  return { [name]: items, ...withLeftOut(leftOut), next_cursor: isTooLong ? null : next };
}
