/** Polls until there is something to return, an error that will not pass, or no more time. */
import { checkArgument } from "../errors/check-argument.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { WaitTimeoutError } from "../errors/wait-timeout-error.js";
import type { RequestOptions } from "../options.js";
import { idProblem } from "../schemas/ids.js";
import { cancellation, pause } from "../transport/cancellation.js";
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

const FIRST_BOT =
  ", and the service does not show it: a call that has a bot keeps it, so look for the meeting in the meeting list";

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
  let shown = false;
  let error: NotetakerError | undefined;

  const { signal, remainingMs, dispose } = cancellation(options.signal, timeoutMs, () => {
    const waitedMs = Date.now() - began;
    const why = error ? `: ${error.message}` : shown ? "" : FIRST_BOT;
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
      } catch (thrown) {
        if (signal?.aborted || !passes(thrown)) throw thrown;
        error = thrown;
      }
      shown ||= status !== undefined;

      const asked = hintMs(error) ?? 0;
      if (asked >= remainingMs()) throw error;
      const nextPollMs = Math.max(asked, pollMs * (0.8 + 0.4 * Math.random()));
      onPoll?.({ poll, waitedMs: Date.now() - began, status, error, nextPollMs });
      // An event does not shorten a wait that the service has asked for.
      await pause(nextPollMs, signal, asked > 0 ? undefined : events?.next());
    }
  } finally {
    dispose();
    events?.close();
  }
}
