/** Polls until there is a result, an error that will not pass, or no more time. */
import { pause } from "../async/pause.js";
import { checkArgument } from "../errors/check-argument.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { isTemporary } from "../errors/is-temporary.js";
import type { NotetakerError } from "../errors/notetaker-error.js";
import { WaitTimeoutError } from "../errors/wait-timeout-error.js";
import type { RequestOptions } from "../options.js";
import { idProblem } from "../schemas/ids.js";
import { cancellation } from "../transport/cancellation.js";
import { hintMs } from "../transport/retry-policy.js";
import { WAIT_DEFAULTS, type WaitOptions, waitOptionsSchema } from "./wait-options.js";
import { type Wake, wakeOnEvents } from "./wake.js";

/** What one poll found. */
export interface PollResult<T> {
  /** What is waited for; `undefined` if it is not there yet. */
  readonly result?: T | undefined;
  /** The meeting's status, if the service shows it. */
  readonly status?: string | undefined;
  /** An error that may pass. */
  readonly error?: NotetakerError | undefined;
}

/** One request of a poll, or several. */
export type Poll<T> = (options: RequestOptions) => Promise<PollResult<T>>;

/** Events, however many, bring at most one poll in this time. */
const MIN_PAUSE_MS = 1_000;

/** The part of the poll interval by which a pause may be shorter or longer, so that many waits do not poll at once. */
const JITTER = 0.2;

const KEPT_BOT_HINT =
  "; if another bot was already in this call, the service keeps that one: find the meeting with meetings.list()";

/** The poll's result. An error that may pass (a 429, a 5xx, a lost connection, a timeout) is part of it. */
async function pollOnce<T>(poll: Poll<T>, options: RequestOptions): Promise<PollResult<T>> {
  try {
    // The waiter is the retry: each request is made once.
    return await poll({ ...options, maxRetries: 0 });
  } catch (error) {
    if (options.signal?.aborted || !isTemporary(error)) throw error;
    return { error };
  }
}

/** The wait that the service asks for, if it is longer than `pollMs`, which varies by the jitter. */
const nextDelayMs = (pollMs: number, retryAfterMs: number) =>
  Math.max(retryAfterMs, pollMs * (1 - JITTER + 2 * JITTER * Math.random()));

/** An event ends the pause early, unless the service has asked for it. */
async function delayUntilNextPoll(
  delayMs: number,
  isRequested: boolean,
  wake: Wake | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  await pause(Math.min(delayMs, MIN_PAUSE_MS), signal);
  await pause(Math.max(0, delayMs - MIN_PAUSE_MS), signal, isRequested ? undefined : wake?.event);
}

export async function waitFor<T>(
  operation: string,
  meetingId: string,
  poll: Poll<T>,
  options: WaitOptions = {},
): Promise<T> {
  checkArgument(operation, waitOptionsSchema, options);
  const problem = idProblem("meetingId", meetingId);
  if (problem !== undefined) throw new InvalidArgumentError(operation, [{ path: "meetingId", message: problem }]);
  const { timeoutMs = WAIT_DEFAULTS.timeoutMs, pollMs = WAIT_DEFAULTS.pollMs, onPoll, wake, headers } = options;
  const startedAt = Date.now();
  /** `undefined` until the service has answered. */
  let isListed: boolean | undefined;
  let error: NotetakerError | undefined;

  const { signal, remainingMs, dispose } = cancellation(options.signal, timeoutMs, () => {
    const waitedMs = Date.now() - startedAt;
    const reason = error === undefined ? "" : `: ${error.message}`;
    const hint = error === undefined && isListed === false ? KEPT_BOT_HINT : "";
    const message = `${operation}: ${meetingId} was not ready after ${waitedMs} ms${reason}${hint}`;
    return new WaitTimeoutError(message, { meetingId, waitedMs, cause: error });
  });
  const events = wake === undefined ? undefined : wakeOnEvents(wake, meetingId);
  try {
    for (let count = 1; ; count += 1) {
      events?.answer();
      error = undefined;
      const found = await pollOnce(poll, { signal, headers });
      if (found.result !== undefined) return found.result;
      error = found.error;
      if (error === undefined) isListed ||= found.status !== undefined;

      const retryAfterMs = hintMs(error) ?? 0;
      if (retryAfterMs > 0 && retryAfterMs >= remainingMs()) throw error;
      const nextPollMs = nextDelayMs(pollMs, retryAfterMs);
      onPoll?.({ poll: count, waitedMs: Date.now() - startedAt, status: found.status, error, nextPollMs });
      await delayUntilNextPoll(nextPollMs, retryAfterMs > 0, events, signal);
    }
  } finally {
    dispose();
    events?.close();
  }
}
