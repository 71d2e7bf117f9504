/**
 * Reads the meeting list page by page. Each meeting is returned once, even if the list repeats it. An invalid row does
 * not end the list.
 */

import * as z from "zod/mini";
import type { Page } from "../lists/page.js";
import type { Meeting } from "../schemas/meeting.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import { nonEmptyString, nullish } from "../schemas/primitives.js";
import type { MeetingClient } from "./pace.js";
import { invalidPiece, type MissingPiece } from "./pieces.js";
import type { Period } from "./read-options.js";
import { type MeetingRow, readRow } from "./received.js";

/** A page takes a few minutes at the usual rate limit, and the list few requests. */
const PAGE_SIZE = 50;

export interface ListPlace {
  /** `null`: the first page. `undefined`: the list has ended. */
  readonly cursor?: string | null | undefined;
  /** The number of the page, from 1. */
  readonly page: number;
}

export const LIST_START: ListPlace = { cursor: null, page: 1 };

/** The schema of a {@link ListPlace} that is read back. */
/* @__NO_SIDE_EFFECTS__ */
export const listPlaceShape = () =>
  ({
    cursor: nullish(nonEmptyString()),
    page: z.number().check(z.int(), z.positive()),
  }) satisfies Record<keyof ListPlace, z.ZodMiniType>;

export interface MeetingPage {
  /** The meetings of the period that were on no earlier page. */
  readonly rows: readonly MeetingRow[];
  /** The rows that have no meeting id. */
  readonly unreadable: readonly MissingPiece[];
  readonly place: ListPlace;
  /** The place after this page. */
  readonly next: ListPlace;
}

/** A position in the list after some of the meetings of a page. */
export interface ItemPlace extends ListPlace {
  /**
   * The ids of the latest meetings, which are not returned again: the page may be read again, and the list may repeat a
   * row on the next page.
   */
  readonly seen: readonly string[];
}

/** How many ids of earlier pages a position keeps, besides all those of the page that is being read. */
const MAX_EARLIER_IDS = 100;

/** The position after this row of the page. `seen` are the ids before it. */
export function placeAfterRow({ rows, place, next }: MeetingPage, row: MeetingRow, seen: readonly string[]): ItemPlace {
  const ids = [...seen, row.meeting.id];
  return row === rows.at(-1) ? { ...next, seen: ids.slice(-MAX_EARLIER_IDS) } : { ...place, seen: ids };
}

/** The pages from `place` on. Meetings in `seen` are left out; the ids of all meetings are added to it. */
export async function* meetingPages(
  client: MeetingClient,
  place: ListPlace,
  period: Period,
  seen: Set<string>,
  signal: AbortSignal,
  pageSize = PAGE_SIZE,
): AsyncGenerator<MeetingPage, void, undefined> {
  const { cursor } = place;
  if (cursor === undefined) return;
  let current = place;
  const params = pageParams(period, cursor, pageSize);
  for await (const page of client.meetings.list(params, { signal, onInvalid: "skip" }).pages()) {
    const next = placeAfter(current, page);
    yield { ...readRows(rowsOf(page), current.page, period, seen), place: current, next };
    current = next;
  }
}

/** The place after a page. If the page promises more but names no cursor, it is read again by the next run. */
function placeAfter(current: ListPlace, { has_more, next_cursor }: Page<Meeting>): ListPlace {
  if (!has_more) return { cursor: undefined, page: current.page + 1 };
  return next_cursor ? { cursor: next_cursor, page: current.page + 1 } : current;
}

function pageParams({ startDate, endDate }: Period, cursor: string | null, limit: number): MeetingListParams {
  return {
    limit,
    expand: ["documents"],
    ...(startDate !== undefined && { start_date: startDate }),
    ...(endDate !== undefined && { end_date: endDate }),
    ...(cursor !== null && { cursor }),
  };
}

function readRows(received: readonly unknown[], page: number, period: Period, seen: Set<string>) {
  const rows: MeetingRow[] = [];
  const unreadable: MissingPiece[] = [];
  for (const [index, value] of received.entries()) {
    const row = readRow(value);
    if (row === undefined) {
      unreadable.push(unreadableRow(page, index + 1));
      continue;
    }
    const { id, start_time } = row.meeting;
    if (seen.has(id) || !period.includes(start_time)) continue;
    seen.add(id);
    rows.push(row);
  }
  return { rows, unreadable };
}

const unreadableRow = (page: number, row: number): MissingPiece => ({
  meeting_id: "",
  title: null,
  ...invalidPiece(`meeting (page ${page}, row ${row})`, "the row of the meeting list has no meeting id"),
});

/** All rows in the order of the list, including the invalid rows that the client left out of `data`. */
function rowsOf({ data, invalid }: Page<Meeting>): unknown[] {
  const rows: unknown[] = [...data];
  // In the order of the list, so that each row moves those after it to their places.
  for (const { index, value } of invalid) rows.splice(index, 0, value);
  return rows;
}

/** The meetings with these ids that the service has, with their documents. */
export async function meetingsByIds(
  client: MeetingClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<MeetingRow[]> {
  const params: MeetingListParams = { ids: [...ids], limit: ids.length, expand: ["documents"] };
  const page = await client.meetings.list(params, { signal, onInvalid: "skip" });
  const rows = rowsOf(page).flatMap((row) => readRow(row) ?? []);
  const expected = new Set(ids);
  // Each meeting once, and none that was not requested.
  return rows.filter(({ meeting }) => expected.delete(meeting.id));
}

/** How many ids are requested at once. They fit into one page of the list. */
const BATCH_SIZE = 20;
/** How many of them are ids that the list has just contained. One of those may have been deleted since. */
const PROOFS = 2;

/** The meetings that the service no longer has. `doubt`: why none counts as gone. */
export interface GoneMeetings {
  readonly gone: readonly string[];
  readonly doubt?: string | undefined;
}

/**
 * Requests the meetings with these ids, and returns the ids that the service no longer lists. `seen` are ids that the
 * list of this run contained: if there are none, or if a request does not return them either, the account cannot be
 * read as it should (a wrong token, a failing service), and no id counts as gone. If a response has an unreadable row
 * or other meetings, no id of that request counts as gone.
 */
export async function findGone(
  client: MeetingClient,
  ids: readonly string[],
  seen: Iterable<string>,
  signal: AbortSignal,
): Promise<GoneMeetings> {
  if (ids.length === 0) return { gone: [] };
  const proofs = [...seen].slice(-PROOFS);
  if (proofs.length === 0) return { gone: [], doubt: "the meeting list had no meeting" };
  const gone: string[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE - PROOFS) {
    const batch = [...ids.slice(start, start + BATCH_SIZE - PROOFS), ...proofs];
    const page = await client.meetings.list({ ids: batch, limit: BATCH_SIZE }, { signal, onInvalid: "skip" });
    const listed = listedIds(page);
    if (listed === undefined || listed.some((id) => !batch.includes(id))) continue;
    if (!proofs.some((id) => listed.includes(id))) {
      return { gone: [], doubt: `the service did not return ${proofs.join(" or ")} by id, which it had listed` };
    }
    for (const id of batch) if (!listed.includes(id) && !proofs.includes(id)) gone.push(id);
  }
  return { gone };
}

/** Calls `onGone` for each of the `known` meetings that is not in `seen`, and that the service no longer lists. */
export async function reportGone(
  client: MeetingClient,
  known: ReadonlySet<string>,
  seen: ReadonlySet<string>,
  onGone: (id: string) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const unseen = [...known].filter((id) => !seen.has(id));
  const { gone } = await findGone(client, unseen, seen, signal);
  for (const id of gone) await onGone(id);
}

/** The ids on a page, or `undefined` if the page may lack an id. */
function listedIds(page: Page<Meeting>): string[] | undefined {
  if (page.has_more) return undefined;
  const ids = rowsOf(page).map((row) => readRow(row)?.meeting.id);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
