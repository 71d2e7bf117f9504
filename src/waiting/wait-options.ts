/** The options of the waiters, their checks, and the report of each poll. */
import * as z from "zod/mini";
import { isAsyncIterable } from "../async/symbols.js";
import type { AnyNotetakerError } from "../errors/error-classes.js";
import { documentGetParams } from "../schemas/document.js";
import { custom, functionOf, type Infer } from "../schemas/primitives.js";
import { type RequestOptions, requestOptionsShape } from "../transport/request-options.js";

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

const { signal, headers, timeoutMs } = requestOptionsShape;

const waitOptions = {
  /** The longest wait, in milliseconds. Default 3,600,000 (an hour). */
  timeoutMs,
  /** In ms, ±20 %; a longer `Retry-After` applies. Waiters of a client share polls. Default 5,000. */
  pollMs: timeoutMs,
  /**
   * How long the meeting may be missing from the list, in milliseconds, before the wait ends with `WaitTimeoutError`.
   * The wait does not end for this reason while the list cannot be read. Default 300,000 (five minutes).
   */
  notListedTimeoutMs: timeoutMs,
  /** Called after each poll that did not end the wait. */
  onPoll: z.optional(functionOf<(report: PollReport) => void>()),
  /** Events (of `subscribe`) that start the next poll early, at most one a second; closed with the wait: one each. */
  wake: z.optional(custom<AsyncIterable<unknown>>(isAsyncIterable, "an async iterable")),
};

export interface WaitOptions extends Pick<RequestOptions, "signal" | "headers">, Infer<typeof waitOptions> {}

export const waitOptionsSchema = z.strictObject({ signal, headers, ...waitOptions });

export const waitForDocumentOptionsSchema = z.strictObject({ ...waitOptionsSchema.shape, ...documentGetParams });
