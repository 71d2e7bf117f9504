/** What the waiters take, and what they report. */
import type { NotetakerError } from "../errors/notetaker-error.js";
import type { RequestOptions } from "../options.js";

/** What a waiter found out, and what it does next. */
export interface PollReport {
  /** 1 for the first. */
  poll: number;
  /** Since the wait began. */
  waitedMs: number;
  /** Of the meeting; `undefined` while the service does not show it. */
  status: string | undefined;
  /** What kept the poll from an answer: a 429, a 5xx, a lost connection. The wait goes on. */
  error: NotetakerError | undefined;
  /** Until the next poll, unless an event wakes the waiter before. */
  nextPollMs: number;
}

export interface WaitOptions extends Pick<RequestOptions, "signal" | "headers"> {
  /** The longest wait, in milliseconds. Default 3,600,000: an hour. */
  timeoutMs?: number | undefined;
  /** Between two polls, in milliseconds, give or take a fifth. A `Retry-After` that is longer is honoured. Default 5,000. */
  pollMs?: number | undefined;
  /** Called after each poll that did not end the wait. */
  onPoll?: ((report: PollReport) => void) | undefined;
  /**
   * Events that end a pause early, such as `subscribe` gives, though not within a second of the last poll. One that
   * names another meeting in `meetingId` does not count. When they end or fail, polling goes on without them. They are
   * closed when the wait is over.
   */
  wake?: AsyncIterable<unknown> | undefined;
}
