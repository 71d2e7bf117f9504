/** The times of a meeting, and the rules for when and how long the follower asks for what is missing. */

import { DAY_MS } from "../../async/timers.js";
import type { Meeting } from "../../schemas/meeting.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import type { Open } from "./entry.js";
import type { FollowPlan } from "./follow-plan.js";

/** A meeting in work is kept this long after its start, or after it was first seen. */
const IN_WORK_MS = 30 * DAY_MS;
/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const WINDOW_EXTRA_MS = 2 * DAY_MS;

/** The meetings that begin at this time or later are read with each poll. */
export const windowStart = (ms: number, settleMs: number): number => ms - settleMs - WINDOW_EXTRA_MS;

/**
 * The meetings that begin at this time or later are remembered. Two days more than the window: a clock that is set back
 * must not bring back what was forgotten, and a program whose `wants` compares days calls a meeting recent up to a day
 * longer than it is.
 */
export const memoryStart = (ms: number, settleMs: number): number => windowStart(ms, settleMs) - 2 * DAY_MS;

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
export function deadlineOf(startMs: number, open: Open, { settleMs }: FollowPlan): number {
  if (open.completedMs !== undefined) return open.completedMs + settleMs;
  return Math.max(startMs, open.firstSeenMs) + IN_WORK_MS;
}

/** Pauses between the tries double, up to an hour with the default `settleMs`. */
const LONGEST_PAUSES = 24;

/** What is missing was requested once more: it is requested again after a pause, but not after the deadline. */
export function triedAgain(startMs: number, open: Open, now: number, plan: FollowPlan): Open {
  const { pollMs, settleMs } = plan;
  const tries = open.tries + 1;
  const longest = Math.max(pollMs, settleMs / LONGEST_PAUSES);
  const dueMs = now + Math.min(longest, pollMs * 2 ** Math.min(tries, 30));
  const deadlineMs = deadlineOf(startMs, open, plan);
  return { ...open, tries, dueMs: deadlineMs > now ? Math.min(dueMs, deadlineMs) : dueMs };
}
