/** What the follower remembers of a meeting, and the rules for how long it asks for what is missing. */

import { DAY_MS } from "../../async/timers.js";
import { digest } from "../../json/digest.js";
import type { Meeting } from "../../schemas/meeting.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import type { WantedPieces } from "../pieces.js";

/** A meeting from which more is expected. */
export interface Open {
  /** The names of the missing pieces. Empty if only the row is expected to change. */
  readonly lacks: readonly string[];
  readonly firstSeenMs: number;
  /** When the meeting was first seen completed; `undefined` while it is in work. */
  readonly completedMs: number | undefined;
  /** How many times the missing pieces were requested. */
  readonly tries: number;
  /** When they are requested again; `Infinity`: never, unless an event names the meeting. */
  readonly dueMs: number;
  /** How many times the news of the meeting were held back, because a piece failed that the database has. Not saved. */
  readonly postponed?: number;
}

export interface Entry {
  /** The fingerprint of the row; empty if an event named the meeting, and the list does not have it yet. */
  readonly print: string;
  readonly startMs: number;
  /** The wanted part of the meeting; `false` if `wants` has refused it. */
  readonly wanted: WantedPieces | false;
  readonly open?: Open | undefined;
}

/** A meeting in work is kept this long after its start, or after it was first seen. */
const IN_WORK_MS = 30 * DAY_MS;
/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const WINDOW_EXTRA_MS = 2 * DAY_MS;

/** The meetings that begin at this time or later are read with each poll. */
export const windowStart = (ms: number, settleMs: number): number => ms - settleMs - WINDOW_EXTRA_MS;

/** The length of a fingerprint in characters. */
export const PRINT_LENGTH = 7;

/** The fields whose change is news, as a short text. */
export function printOf({ status, title, start_time, documents }: Meeting): string {
  const listed = (documents ?? []).map(({ id, title, created_at }) => [id, title, created_at].join("\n")).sort();
  const text = JSON.stringify([status, title ?? null, start_time, ...listed]);
  return (digest(text) % 36 ** PRINT_LENGTH).toString(36).padStart(PRINT_LENGTH, "0");
}

/** The start of a meeting. A meeting without a readable time counts as begun now. */
export const startOf = ({ start_time }: Meeting, now: number): number => {
  const ms = parseTimestamp(start_time);
  return Number.isNaN(ms) ? now : ms;
};

/** When a meeting has ended, or when it was created: an old recording may be uploaded today. */
export function endOf(meeting: Meeting, now: number): number {
  const times = [meeting.end_time, meeting.created_at].map((time) => parseTimestamp(time ?? ""));
  return Math.max(startOf(meeting, now), ...times.filter((ms) => !Number.isNaN(ms)));
}

export const isInWork = ({ status }: Meeting): boolean => status === "scheduled" || status === "processing";

/** When the follower gives up what is missing. */
export function deadlineOf({ startMs }: Pick<Entry, "startMs">, open: Open, settleMs: number): number {
  if (open.completedMs !== undefined) return open.completedMs + settleMs;
  return Math.max(startMs, open.firstSeenMs) + IN_WORK_MS;
}

/** Pauses between the tries double, up to an hour with the default `settleMs`. */
const LONGEST_PAUSES = 24;

/** When to try again after `tries` tries: never after the deadline. */
export function nextTry(tries: number, now: number, deadlineMs: number, pollMs: number, settleMs: number): number {
  const longest = Math.max(pollMs, settleMs / LONGEST_PAUSES);
  const dueMs = now + Math.min(longest, pollMs * 2 ** Math.min(tries, 30));
  return deadlineMs > now ? Math.min(dueMs, deadlineMs) : dueMs;
}
