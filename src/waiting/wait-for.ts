/** Polls until there is something to return, an error that will not pass, or no more time. */
import { NotetakerError } from "../errors/notetaker-error.js";
import { WaitTimeoutError } from "../errors/wait-timeout-error.js";
import type { RequestOptions } from "../options.js";
import { abortable, cancellation, pause } from "../transport/cancellation.js";
import { hintMs } from "../transport/retry-policy.js";
import { checkDurations, type WaitOptions } from "./wait-options.js";
import { wakeUps } from "./wake.js";

/** What one look at the service shows. */
export type Look<T> = { readonly result: T } | { readonly status: string | undefined };

/** Whether an error may pass by itself: a 429, a 5xx, a lost connection, a timeout. */
export const passes = (error: unknown): error is NotetakerError => error instanceof NotetakerError && error.retryable;

const FIRST_BOT =
  "The service has not shown this meeting. If its id comes from sendBot: where a bot is already in the call, that one is kept and this id never resolves, so look for the meeting in the meeting list";

export async function waitFor<T>(
  operation: string,
  meetingId: string,
  look: (options: RequestOptions) => Promise<Look<T>>,
  { timeoutMs = 3_600_000, pollMs = 5_000, onPoll, wake, ...options }: WaitOptions = {},
): Promise<T> {
  checkDurations(operation, timeoutMs, pollMs);
  const began = Date.now();
  const waitedMs = () => Date.now() - began;
  let shown = false;
  let latest: NotetakerError | undefined;

  const gaveUp = () => {
    const facts = { meetingId, waitedMs: waitedMs(), cause: latest };
    const message = `${operation}: ${meetingId} was not ready after ${facts.waitedMs} ms; waiting again with the same id goes on`;
    return new WaitTimeoutError(shown ? message : `${message}. ${FIRST_BOT}`, facts);
  };
  const { signal, remainingMs, dispose } = cancellation(options.signal, timeoutMs, gaveUp);
  const events = wake && wakeUps(wake, meetingId);

  try {
    for (let poll = 1; ; poll += 1) {
      signal?.throwIfAborted();
      let status: string | undefined;
      latest = undefined;
      try {
        // The waiter is the retry: each request is made once.
        const seen = await abortable(look({ ...options, signal, maxRetries: 0 }), signal);
        if ("result" in seen) return seen.result;
        status = seen.status;
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        if (!passes(error)) throw error;
        latest = error;
      }
      shown ||= status !== undefined;

      const asked = hintMs(latest);
      if (asked !== undefined && asked >= remainingMs()) throw latest;
      const nextPollMs = Math.max(asked ?? 0, pollMs * (0.8 + 0.4 * Math.random()));
      onPoll?.({ poll, waitedMs: waitedMs(), status, error: latest, nextPollMs });
      // An event does not shorten a wait that the service has asked for.
      await pause(nextPollMs, signal, asked === undefined ? events?.next() : undefined);
    }
  } finally {
    dispose();
    events?.close();
  }
}
