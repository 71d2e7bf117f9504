/** The position of a walk in the meeting list. The `checkpoint` of an item contains it. */
import * as z from "zod/mini";
import { parseJson } from "../../json/parse-json.js";
import { nonEmptyString, nullish } from "../../schemas/primitives.js";
import type { ListPlace } from "../reading/meeting-list.js";
import type { PeriodOptions } from "../reading/read-options.js";

/** The place in the list is the page of the next item. */
export interface WalkPlace extends ListPlace, PeriodOptions {
  /**
   * The ids of the latest items, which are not returned again: the page may be read again, and the list may repeat a
   * row on the next page.
   */
  readonly seen: readonly string[];
}

/** How many ids of earlier pages a position keeps, besides all those of the page that is being read. */
export const MAX_EARLIER_IDS = 100;

const savedPlaceSchema = z.object({
  v: z.literal(1),
  cursor: nullish(nonEmptyString()),
  page: z.number().check(z.int(), z.positive()),
  seen: z.array(z.string()),
  since: z.optional(z.string()),
  until: z.optional(z.string()),
});

/** The position as an opaque string: JSON in base64url, which needs no escaping in a URL. */
export function formatPlace({ cursor, page, seen, since, until }: WalkPlace): string {
  const saved = { v: 1, cursor, page, seen, since: textOf(since), until: textOf(until) };
  return Buffer.from(JSON.stringify(saved)).toString("base64url");
}

/** The position that {@link formatPlace} wrote, or `undefined` if `text` is invalid. */
export function parsePlace(text: string): WalkPlace | undefined {
  const { data } = z.safeParse(savedPlaceSchema, parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (data === undefined) return undefined;
  const { cursor, page, seen } = data;
  const since = momentOf(data.since);
  const until = momentOf(data.until);
  if (since === "invalid" || until === "invalid") return undefined;
  return { cursor, page, seen, since, until };
}

const textOf = (moment: string | Date | undefined) => (moment instanceof Date ? moment.toISOString() : moment);

/** Reads `since` or `until`: a text with a time is a `Date`, a text without one is a day. */
function momentOf(text: string | undefined): string | Date | undefined {
  if (text === undefined || Number.isNaN(Date.parse(text))) return text === undefined ? undefined : "invalid";
  return text.includes("T") ? new Date(text) : text;
}
