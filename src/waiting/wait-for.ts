/** Polls until there is something to return, an error that will not pass, or no more time. */

import { pause } from "../async/pause.js";
import { checkArgument } from "../errors/check-argument.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { WaitTimeoutError } from "../errors/wait-timeout-error.js";
import type { RequestOptions } from "../options.js";
import { idProblem } from "../schemas/ids.js";
import { cancellation } from "../transport/cancellation.js";
import { waitOptionsSchema } from "../transport/request-options-schema.js";
import { hintMs } from "../transport/retry-policy.js";
import type { WaitOptions } from "./wait-options.js";
import { wakeUps } from "./wake.js";

/** What one look at the service shows. */
export interface Look<T> {
  readonly result?: T | undefined;
  /** Of the meeting, if the service shows it. */
  readonly status?: string | undefined;
}

/** Whether an error may pass by itself: a 429, a 5xx, a lost connection, a timeout. */
export const passes = (error: unknown): error is NotetakerError => error instanceof NotetakerError && error.retryable;

const FIRST_BOT = "; a call keeps its first bot: look for its id in the meeting list";

export async function waitFor<T>(
  operation: string,
  meetingId: string,
  look: (options: RequestOptions) => Promise<Look<T>>,
  given: WaitOptions = {},
): Promise<T> {
  checkArgument(operation, waitOptionsSchema, given);
  const message = idProblem("meetingId", meetingId);
  if (message) throw new InvalidArgumentError(operation, [{ path: "meetingId", message }]);
  const { timeoutMs = 3_600_000, pollMs = 5_000, onPoll, wake, ...options } = given;
  const began = Date.now();
  /** `undefined` until the service has answered. */
  let shown: boolean | undefined;
  let error: NotetakerError | undefined;

  const { signal, remainingMs, dispose } = cancellation(options.signal, timeoutMs, () => {
    const waitedMs = Date.now() - began;
    const why = error ? `: ${error.message}` : shown === false ? FIRST_BOT : "";
    const message = `${operation}: ${meetingId} was not ready after ${waitedMs} ms${why}`;
    return new WaitTimeoutError(message, { meetingId, waitedMs, cause: error });
  });
  const events = wake && wakeUps(wake, meetingId);
  try {
    for (let poll = 1; ; poll += 1) {
      let status: string | undefined;
      error = undefined;
      try {
        // The waiter is the retry: each request is made once.
        const seen = await look({ ...options, signal, maxRetries: 0 });
        if (seen.result !== undefined) return seen.result;
        status = seen.status;
        shown ||= status !== undefined;
      } catch (thrown) {
        if (signal?.aborted || !passes(thrown)) throw thrown;
        error = thrown;
      }

      const asked = hintMs(error) ?? 0;
      if (asked > 0 && asked >= remainingMs()) throw error;
      const nextPollMs = Math.max(asked, pollMs * (0.8 + 0.4 * Math.random()));
      onPoll?.({ poll, waitedMs: Date.now() - began, status, error, nextPollMs });
      // Events, however many, bring no more than a poll a second, and shorten no wait that the service has asked for.
      await pause(Math.min(nextPollMs, 1_000), signal);
      await pause(nextPollMs - 1_000, signal, asked > 0 ? undefined : events?.next());
    }
  } finally {
    dispose();
    events?.close();
  }
}
