/**
 * Reads the meeting list from a day on. Temporary failures do not end it, and invalid rows are read as far as possible.
 */
import { pause } from "../async/timers.js";
import { isTemporary } from "../errors/is-temporary.js";
import { isRecord } from "../json/is-record.js";
import type { Meeting } from "../schemas/meeting.js";
import { PAGE_SIZE_MAX } from "../schemas/page.js";
import { parseTimestamp } from "../schemas/primitives.js";
import { hintMs } from "../transport/retry-policy.js";
import type { ListMeetingPages } from "./look-up-meetings.js";

/** A row of the list. */
export interface DatedMeeting {
  readonly id: string;
  readonly status: string | undefined;
  /** When the meeting ended, else when it began, in milliseconds since 1970; `Infinity` if the row has no time. */
  readonly time: number;
  /** The row as received. */
  readonly meeting: Meeting;
}

/** The first and the longest pause after consecutive failures, in milliseconds. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** After this many failures in a row, a pause is not shorter than ours, even if the service asks for a shorter one. */
const MAX_SHORT_PAUSES = 5;

function timeOf(row: Record<string, unknown>): number {
  for (const field of ["end_time", "start_time", "created_at"]) {
    const value = row[field];
    const time = typeof value === "string" ? parseTimestamp(value) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return Number.POSITIVE_INFINITY;
}

/** Adds the rows that have an id. A later row of the same meeting replaces an earlier one. */
function addRows(meetings: Map<string, DatedMeeting>, rows: readonly unknown[]): void {
  for (const row of rows) {
    if (!isRecord(row) || typeof row.id !== "string") continue;
    const status = typeof row.status === "string" ? row.status : undefined;
    meetings.set(row.id, { id: row.id, status, time: timeOf(row), meeting: row as unknown as Meeting });
  }
}

/** The pause after a temporary failure, in milliseconds: the one that the service asks for, else one that grows. */
export function pauseMsAfter(error: unknown, failuresBefore: number): number {
  const requestedMs = hintMs(error);
  if (requestedMs !== undefined && failuresBefore < MAX_SHORT_PAUSES) return requestedMs;
  return Math.max(requestedMs ?? 0, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failuresBefore));
}

/** Reads all rows, each meeting once. After a temporary failure, it pauses and requests the same page again. */
export async function readMeetingsSince(
  listPages: ListMeetingPages,
  startDate: string,
  signal: AbortSignal | undefined,
): Promise<DatedMeeting[]> {
  const meetings = new Map<string, DatedMeeting>();
  let cursor: string | undefined;
  for (let failures = 0; ; ) {
    try {
      for await (const page of listPages({ start_date: startDate, limit: PAGE_SIZE_MAX, cursor })) {
        failures = 0;
        addRows(meetings, page.data);
        cursor = page.next_cursor ?? undefined;
      }
      return [...meetings.values()];
    } catch (error) {
      if (signal?.aborted || !isTemporary(error)) throw error;
      const pauseMs = pauseMsAfter(error, failures);
      failures += 1;
      await pause(pauseMs, signal);
    }
  }
}
