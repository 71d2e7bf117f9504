/**
 * Reads the meeting list page by page. Each meeting is returned once, even if the list repeats it. An invalid row does
 * not end the list.
 */
import type { Meeting } from "../../schemas/meeting.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import type { Page } from "../../transport/page.js";
import type { MeetingClient } from "./pace.js";
import type { MissingPiece } from "./pieces.js";
import type { Period } from "./read-options.js";
import { type MeetingRow, readRow } from "./received.js";

/** A page takes a few minutes at the usual rate limit, and the list few requests. */
const PAGE_SIZE = 50;

/** A position in the meeting list. */
export interface ListPlace {
  /** `null`: the first page. `undefined`: the list has ended. */
  readonly cursor?: string | null | undefined;
  /** The number of the page, from 1. */
  readonly page: number;
}

export const LIST_START: ListPlace = { cursor: null, page: 1 };

export interface MeetingPage {
  /** The meetings of the period that were on no earlier page. */
  readonly rows: readonly MeetingRow[];
  /** The rows that have no meeting id. */
  readonly unreadable: readonly MissingPiece[];
  readonly place: ListPlace;
  /** The place after this page. */
  readonly next: ListPlace;
}

/** The pages from `place` on. Meetings in `seen` are left out; the ids of all meetings are added to it. */
export async function* meetingPages(
  client: MeetingClient,
  place: ListPlace,
  period: Period,
  seen: Set<string>,
  signal: AbortSignal,
): AsyncGenerator<MeetingPage, void, undefined> {
  const { cursor } = place;
  if (cursor === undefined) return;
  let current = place;
  for await (const page of client.meetings.list(pageParams(period, cursor), { signal, onInvalid: "skip" }).pages()) {
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

function pageParams({ startDate, endDate }: Period, cursor: string | null): MeetingListParams {
  return {
    limit: PAGE_SIZE,
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
  what: `meeting (page ${page}, row ${row})`,
  reason: "invalid",
  message: "the row of the meeting list has no meeting id",
});

/** All rows in the order of the list, including the invalid rows that the client left out of `data`. */
function rowsOf({ data, invalid }: Page<Meeting>): unknown[] {
  const rows: unknown[] = [...data];
  // In the order of the list, so that each row moves those after it to their places.
  for (const { index, value } of invalid) rows.splice(index, 0, value);
  return rows;
}

/** How many ids are requested at once. They fit into one page of the list. */
const BATCH_SIZE = 20;

/**
 * Requests the meetings with these ids, and returns the ids that the service no longer lists. If a response has an
 * unreadable row or other meetings, it proves nothing: then no id of that request counts as gone.
 */
export async function findGone(client: MeetingClient, ids: readonly string[], signal: AbortSignal): Promise<string[]> {
  const gone: string[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    const listed = listedIds(
      await client.meetings.list({ ids: batch, limit: BATCH_SIZE }, { signal, onInvalid: "skip" }),
    );
    if (listed === undefined || listed.some((id) => !batch.includes(id))) continue;
    for (const id of batch) if (!listed.includes(id)) gone.push(id);
  }
  return gone;
}

/** The ids on a page, or `undefined` if the page may lack an id. */
function listedIds(page: Page<Meeting>): string[] | undefined {
  if (page.has_more) return undefined;
  const ids = rowsOf(page).map((row) => readRow(row)?.meeting.id);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
