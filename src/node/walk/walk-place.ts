/** The position of a walk in the meeting list. The `checkpoint` of an item contains it. */
import * as z from "zod/mini";
import { parseJson } from "../../json/parse-json.js";
import type { PeriodOptions } from "../reading/period.js";

export interface WalkPlace extends PeriodOptions {
  /** The cursor of the next item's page. `null`: the first page. `undefined`: there is no further page. */
  cursor: string | null | undefined;
  /** The number of that page, from 1. */
  page: number;
  /**
   * The ids of the latest items, which are not returned again: the page may be read again, and the list may repeat a
   * row on the next page.
   */
  seen: readonly string[];
}

export const FIRST_PLACE: WalkPlace = { cursor: null, page: 1, seen: [] };

/** How many ids a position keeps: twice the rows of a page. */
export const MAX_SEEN = 100;

const savedPlaceSchema = z.object({
  v: z.literal(1),
  cursor: z.optional(z.nullable(z.string())),
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
