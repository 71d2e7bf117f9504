/**
 * Walks the meeting list from a day on. Temporary failures do not end the walk, and invalid rows are read as far as
 * possible.
 */
import { pause } from "../../async/timers.js";
import { isTemporary } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import type { Meeting } from "../../schemas/meeting.js";
import { hintMs } from "../../transport/retry-policy.js";
import type { RowPage } from "./meeting-lookup.js";

/** The day from which on the list is walked. */
export interface WalkQuestion {
  /** YYYY-MM-DD. The watch may change it before each poll. */
  startDate: string;
}

/** A row of the list. */
export interface WalkedMeeting {
  readonly id: string;
  readonly status: string | undefined;
  /** When the meeting ended, else when it began, in milliseconds since 1970; `Infinity` if the row has no time. */
  readonly time: number;
  /** The row as received. */
  readonly meeting: Meeting;
}

/** Requests the pages of the meeting list from a day on, starting at a cursor. */
export type ListPagesSince = (params: {
  start_date: string;
  limit: number;
  cursor: string | undefined;
}) => AsyncIterable<RowPage>;

const PAGE_SIZE = 100;

/** The first and the longest pause after consecutive failures, in milliseconds. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

function timeOf(row: Record<string, unknown>): number {
  for (const field of ["end_time", "start_time", "created_at"]) {
    const value = row[field];
    const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return Number.POSITIVE_INFINITY;
}

function readRow(row: unknown): WalkedMeeting | undefined {
  if (!isRecord(row) || typeof row.id !== "string") return undefined;
  const status = typeof row.status === "string" ? row.status : undefined;
  return { id: row.id, status, time: timeOf(row), meeting: row as unknown as Meeting };
}

/** One walk, which can be interrupted: `run` continues at the page that failed. Collects each meeting once. */
class Walk {
  readonly meetings = new Map<string, WalkedMeeting>();
  failures = 0;
  #cursor: string | undefined;

  async run(listPages: ListPagesSince, startDate: string): Promise<void> {
    for await (const page of listPages({ start_date: startDate, limit: PAGE_SIZE, cursor: this.#cursor })) {
      this.failures = 0;
      for (const row of page.data) {
        const meeting = readRow(row);
        if (meeting !== undefined) this.meetings.set(meeting.id, meeting);
      }
      this.#cursor = page.next_cursor ?? undefined;
    }
  }
}

/** Reads all rows, each meeting once. After a temporary failure, it pauses and requests the page again. */
export async function walkMeetings(
  listPages: ListPagesSince,
  startDate: string,
  signal: AbortSignal,
): Promise<WalkedMeeting[]> {
  const walk = new Walk();
  for (;;) {
    try {
      await walk.run(listPages, startDate);
      return [...walk.meetings.values()];
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** walk.failures);
      walk.failures += 1;
      await pause(Math.max(hintMs(error) ?? 0, pauseMs), signal);
    }
  }
}
