/** The options of the waiters, their checks, and the report of each poll. */
import * as z from "zod/mini";
import { isAsyncIterable } from "../async/symbols.js";
import type { AnyNotetakerError } from "../errors/error-classes.js";
import { DOCUMENT_FORMATS, type DocumentGetParams } from "../schemas/document.js";
import { custom, enumOf, functionSchema, optionsSchema } from "../schemas/primitives.js";
import type { RequestOptions } from "../transport/request-options.js";
import { limitsShape, requestOptionsShape } from "../transport/request-options.js";

/** The report of one poll, for `onPoll`. */
export interface PollReport {
  /** The number of this poll, starting at 1. */
  poll: number;
  /** Milliseconds since the wait began. */
  waitedMs: number;
  /** The meeting's status; `undefined` while the service does not list the meeting. */
  status: string | undefined;
  /** The error of this poll, if any: a 429, a 5xx, a lost connection or a timeout. The wait continues. */
  error: AnyNotetakerError | undefined;
  /** Milliseconds until the next poll. An event or another waiter's poll may make it earlier. */
  nextPollMs: number;
}

/** Options of the waiters. */
export interface WaitOptions extends Pick<RequestOptions, "signal" | "headers"> {
  /** The longest wait, in milliseconds. Default 3,600,000 (an hour). */
  timeoutMs?: number | undefined;
  /**
   * The poll interval in milliseconds, ±20 % jitter. If the service sends a longer `Retry-After`, that applies. Waiters
   * of one client share their polls, so a poll may come earlier. Default 5,000.
   */
  pollMs?: number | undefined;
  /**
   * How long the meeting may be missing from the list, in milliseconds, before the wait ends with `WaitTimeoutError`.
   * The wait does not end for this reason while the list cannot be read. Default 300,000 (five minutes).
   */
  notListedTimeoutMs?: number | undefined;
  /** Called after each poll that did not end the wait. */
  onPoll?: ((report: PollReport) => void) | undefined;
  /**
   * Events that start the next poll early, for example those of `subscribe`, but not within a second of the last poll.
   * An event whose `meetingId` names another meeting is ignored. If the events end or fail, polling continues without
   * them. The iterator of the events is closed when the wait is over.
   */
  wake?: AsyncIterable<unknown> | undefined;
}

export const wakeSchema = z.optional(custom(isAsyncIterable, "an async iterable"));

const waitOptionsShape = {
  signal: requestOptionsShape.signal,
  headers: requestOptionsShape.headers,
  timeoutMs: limitsShape.timeoutMs,
  pollMs: limitsShape.timeoutMs,
  notListedTimeoutMs: limitsShape.timeoutMs,
  onPoll: z.optional(functionSchema),
  wake: wakeSchema,
};

export const waitOptionsSchema = optionsSchema<WaitOptions>()(waitOptionsShape);

export const waitForDocumentOptionsSchema = optionsSchema<WaitOptions & DocumentGetParams>()({
  ...waitOptionsShape,
  format: z.optional(enumOf(DOCUMENT_FORMATS)),
});
