/** A page of a list as a result that fits into the context of a model. */
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

/** A longer cursor would leave no room for items. */
const MAX_CURSOR = 2_000;
/** The brackets and names of a page, and the reasons that concern the whole of it. */
const FRAME = 400;
const MAX_LISTED_INVALID = 10;

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

export function pageResult<T>(
  name: string,
  page: ToolPage<T>,
  facts: (item: T, room: number) => Facts,
  leftOut: LeftOut[] = leftOutRows(page.invalid ?? []),
): ToolResult {
  const items: object[] = [];
  let room = MAX_RESULT - MAX_CURSOR - FRAME - jsonLength(leftOut);
  const rows = page.data.slice(0, MAX_ROWS);
  for (const row of rows) {
    const { item, leftOut: ofItem = [] } = facts(row, Math.floor(room / (rows.length - items.length)));
    room -= jsonLength(item) + jsonLength(ofItem);
    if (room < 0) break;
    items.push(item);
    leftOut.push(...ofItem);
  }
  const more = page.data.length - items.length;
  if (more > 0) leftOut.push({ reason: `${more} further ${name}` });
  const next = (page.has_more && page.next_cursor) || null;
  const isTooLong = jsonLength(next) > MAX_CURSOR;
  if (isTooLong) leftOut.push({ reason: "what follows: the cursor of the service is too long" });
  return { [name]: items, ...withLeftOut(leftOut), next_cursor: isTooLong ? null : next };
}
