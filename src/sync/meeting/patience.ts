/** When what is missing is requested again, and for how long. Times are in milliseconds since 1970. */
import { DAY_MS } from "../../async/timers.js";
import { parseTimestamp } from "../../schemas/primitives.js";

export interface Patience {
  readonly pollMs: number;
  readonly settleMs: number;
}

/** Something is expected of a meeting in work this long after its start, or after it was first seen. */
const IN_WORK_MS = 30 * DAY_MS;
/** Pauses between the tries double, up to an hour with the default `settleMs`. */
const LONGEST_PAUSES = 24;

export const longestPauseMs = ({ pollMs, settleMs }: Patience): number => Math.max(pollMs, settleMs / LONGEST_PAUSES);

export const isInWork = (status: string): boolean => status === "scheduled" || status === "processing";

/** The facts that decide how long something is expected. */
export interface Stage {
  readonly status: string;
  readonly startTime: string;
  readonly firstSeenMs: number;
  readonly statusSinceMs: number;
}

/** When what is missing is given up. An unknown status may be one of work: the time begins anew with each status. */
export function deadlineOf({ status, startTime, firstSeenMs, statusSinceMs }: Stage, { settleMs }: Patience): number {
  if (!isInWork(status)) return statusSinceMs + settleMs;
  const startMs = parseTimestamp(startTime);
  return Math.max(firstSeenMs, Number.isNaN(startMs) ? firstSeenMs : startMs) + IN_WORK_MS;
}

/** The time after `tries` tries in vain: a pause that doubles, and the deadline at the latest if it is ahead. */
export function nextTryMs(nowMs: number, tries: number, deadlineMs: number, patience: Patience): number {
  const doubled = patience.pollMs * 2 ** Math.max(tries - 1, 0);
  const dueMs = nowMs + Math.min(longestPauseMs(patience), doubled);
  return deadlineMs > nowMs ? Math.min(dueMs, deadlineMs) : dueMs;
}
