/** The options of the waiters, how they are checked, and what a waiter reports. */
import * as z from "zod/mini";
import { ASYNC_ITERATOR } from "../../async/async-iterator.js";
import type { NotetakerError } from "../../errors/notetaker-error.js";
import { custom, functionSchema, optionsSchema } from "../../schemas/primitives.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { limitsShape, requestOptionsShape } from "../../transport/request-options.js";

/** What a waiter found out, and what it does next. */
export interface PollReport {
  /** The number of this poll: 1 for the first. */
  poll: number;
  /** Milliseconds since the wait began. */
  waitedMs: number;
  /** The meeting's status; `undefined` while the service does not list the meeting. */
  status: string | undefined;
  /** Why this poll has no result: a 429, a 5xx, a lost connection. The wait continues. */
  error: NotetakerError | undefined;
  /** Milliseconds until the next poll, unless an event or another wait's poll comes before. */
  nextPollMs: number;
}

/** Options of a wait. */
export interface WaitOptions extends Pick<RequestOptions, "signal" | "headers"> {
  /** The longest wait, in milliseconds. Default 3,600,000: an hour. */
  timeoutMs?: number | undefined;
  /**
   * Poll interval in milliseconds, ±20 % jitter. A longer `Retry-After` wins. Waits of one client share their polls, so
   * a poll may come earlier. Default 5,000.
   */
  pollMs?: number | undefined;
  /**
   * How long the meeting may be missing from the list, in milliseconds, before the wait ends with `WaitTimeoutError`.
   * It does not count while the list cannot be read. Default 300,000: five minutes.
   */
  notShownTimeoutMs?: number | undefined;
  /** Called after each poll that did not end the wait. */
  onPoll?: ((report: PollReport) => void) | undefined;
  /**
   * Events that end a pause early, for example those of `subscribe`, but not within a second of the last poll. An event
   * whose `meetingId` names another meeting is ignored. If the events end or fail, polling continues without them. They
   * are closed when the wait is over.
   */
  wake?: AsyncIterable<unknown> | undefined;
}

export const WAIT_DEFAULTS = { timeoutMs: 3_600_000, pollMs: 5_000, notShownTimeoutMs: 300_000 };

const isAsyncIterable = (value: unknown) => typeof value === "object" && value !== null && ASYNC_ITERATOR in value;

export const waitOptionsSchema = optionsSchema<WaitOptions>()({
  signal: requestOptionsShape.signal,
  headers: requestOptionsShape.headers,
  timeoutMs: limitsShape.timeoutMs,
  pollMs: limitsShape.timeoutMs,
  notShownTimeoutMs: limitsShape.timeoutMs,
  onPoll: z.optional(functionSchema),
  wake: z.optional(custom(isAsyncIterable, "an async iterable")),
});
