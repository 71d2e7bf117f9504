/** The options of `meetings.watch`, their checks, and the type of its items. */

import type { Meeting } from "../../schemas/meeting.js";
import { custom, optionsSchema } from "../../schemas/primitives.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { limitsShape, requestOptionsShape } from "../../transport/request-options.js";
import { isCursor } from "./watch-progress.js";

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
}

export const WATCH_DEFAULTS = { pollMs: 30_000 };

/** Also accepts a `Date` of another realm (a test runner, an iframe). */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === "[object Date]";

const isMoment = (value: unknown) =>
  (isDate(value) || typeof value === "string") && !Number.isNaN(new Date(value).getTime());

export const watchOptionsSchema = optionsSchema<WatchOptions>()({
  signal: requestOptionsShape.signal,
  headers: requestOptionsShape.headers,
  since: custom((value) => isMoment(value) || isCursor(value), "a Date, a timestamp, or the cursor of an item"),
  pollMs: limitsShape.timeoutMs,
});
