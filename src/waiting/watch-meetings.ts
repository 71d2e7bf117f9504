/** Implements `meetings.watch`: returns each completed meeting once, for programs that cannot receive webhooks. */

import { followSignal, throwIfAborted } from "../async/abort.js";
import { DAY_MS, pause } from "../async/timers.js";
import { checkArgument, InvalidArgumentError } from "../errors/argument-errors.js";
import { leavable } from "../lists/leavable.js";
import type { Meeting } from "../schemas/meeting.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import { custom, optionsSchema } from "../schemas/primitives.js";
import { limitsShape, type RequestOptions, requestOptionsShape } from "../transport/request-options.js";
import type { MeetingRequests } from "./meeting-requests.js";
import { type DatedMeeting, readMeetingsSince } from "./meetings-since.js";
import { MIN_INTERVAL_MS, randomJitter } from "./poller.js";
import { wakeSchema } from "./wait-options.js";
import { wakeOnEvents } from "./wake.js";
import { isCursor, WatchProgress } from "./watch-progress.js";

/** A completed meeting, and the cursor to continue after this meeting. */
export interface WatchedMeeting {
  /** The meeting as the list returned it. */
  meeting: Meeting;
  /**
   * Store the cursor when you have processed the meeting. Passed as `since`, it continues after this meeting. An opaque
   * text.
   */
  cursor: string;
}

/** Options of `meetings.watch`. */
export interface WatchOptions extends Pick<RequestOptions, "signal" | "headers"> {
  /**
   * Where to begin: a `Date` or a timestamp (for meetings that ended then or later), or the `cursor` of an item (for
   * the items after it).
   */
  since: Date | string;
  /**
   * The poll interval in milliseconds, ±20 % jitter. If the service sends a longer `Retry-After`, that applies. Default
   * 30,000.
   */
  pollMs?: number | undefined;
  /**
   * Events that start the next poll early, for example those of a receiver, but not within a second of the last poll.
   * If the events end or fail, polling continues without them. Their iterator is closed when the loop is left.
   */
  wake?: AsyncIterable<unknown> | undefined;
}

/** Also accepts a `Date` of another realm (a test runner, an iframe). */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === "[object Date]";

const isMoment = (value: unknown) =>
  (isDate(value) || typeof value === "string") && !Number.isNaN(new Date(value).getTime());

const watchOptionsSchema = optionsSchema<WatchOptions>()({
  signal: requestOptionsShape.signal,
  headers: requestOptionsShape.headers,
  since: custom((value) => isMoment(value) || isCursor(value), "a Date, a timestamp, or the cursor of an item"),
  pollMs: limitsShape.timeoutMs,
  wake: wakeSchema,
});

const OPERATION = "meetings.watch";
const DEFAULT_POLL_MS = 30_000;

/**
 * The start date for the list, which filters by the day on which a meeting began, in an unknown time zone. It is two
 * days before `floor`: a meeting that ended at `floor` or later certainly did not begin before that day.
 */
const startDateFor = (floor: number) => new Date(Math.max(0, floor - 2 * DAY_MS)).toISOString().slice(0, 10);

const byTime = (left: { time: number; id: string }, right: { time: number; id: string }) =>
  left.time - right.time || (left.id < right.id ? -1 : 1);

/** The completed meetings of the list that have not been returned yet, oldest first. */
function* newMeetings(
  listed: readonly DatedMeeting[],
  progress: WatchProgress,
): Generator<WatchedMeeting, void, undefined> {
  const now = Date.now();
  const inRange = listed.filter(({ time }) => time >= progress.floor);
  const unfinished = inRange
    .filter(({ status, time }) => status !== "completed" && status !== "failed" && Number.isFinite(time))
    .map(({ time }) => time)
    .sort((left, right) => left - right);
  const completed = inRange.filter(({ id, status }) => status === "completed" && !progress.has(id)).sort(byTime);
  for (const { id, time, meeting } of completed) yield { meeting, cursor: progress.add(id, time, unfinished, now) };
}

function readProgress(since: Date | string): WatchProgress {
  try {
    return new WatchProgress(since);
  } catch {
    const message = "expected a Date, a timestamp, or the cursor of an item; the cursor is damaged";
    throw new InvalidArgumentError(OPERATION, [{ path: "since", message }]);
  }
}

async function* watch(
  requests: MeetingRequests,
  options: WatchOptions,
  controller: AbortController,
): AsyncGenerator<WatchedMeeting, void, undefined> {
  checkArgument(OPERATION, watchOptionsSchema, options);
  const { since, pollMs = DEFAULT_POLL_MS, headers, signal } = options;
  const progress = readProgress(since);
  throwIfAborted(signal);
  const wake = options.wake && wakeOnEvents(options.wake);

  const listAfter = async (pauseMs: number): Promise<DatedMeeting[]> => {
    const { signal: ending, release } = followSignal(signal, controller);
    try {
      if (pauseMs > 0) await pause(Math.min(pauseMs, MIN_INTERVAL_MS), ending);
      if (pauseMs > MIN_INTERVAL_MS) await pause(pauseMs - MIN_INTERVAL_MS, ending, wake?.untilEvent());
      wake?.answer();
      const listPages = (params: MeetingListParams) => requests.listPages(params, { headers, signal: ending });
      return await readMeetingsSince(listPages, startDateFor(progress.floor), ending);
    } finally {
      release();
    }
  };

  try {
    for (let pauseMs = 0; ; pauseMs = pollMs * randomJitter()) {
      for (const item of newMeetings(await listAfter(pauseMs), progress)) {
        yield item;
        throwIfAborted(signal);
      }
    }
  } finally {
    void wake?.close();
  }
}

/** See `Meetings.watch`. Leaving the loop, or calling `return()`, ends the polling at once. */
export function watchMeetings(requests: MeetingRequests, options: WatchOptions): AsyncIterableIterator<WatchedMeeting> {
  return leavable((controller) => watch(requests, options, controller));
}
