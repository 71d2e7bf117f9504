/** Polls until there is a result, an error that is not temporary, or no more time. */
import type * as z from "zod/mini";
import { throwIfAborted } from "../async/abort.js";
import { TimeLimit } from "../async/time-limit.js";
import type { IssueInit } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { MeetingFailedError, WaitTimeoutError } from "../errors/call-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import type { AnyNotetakerError } from "../errors/error-classes.js";
import { isInconclusive } from "../errors/is-temporary.js";
import { idIssues } from "../schemas/ids.js";
import { mergeHeaders } from "../transport/allowed-headers.js";
import { notify } from "../transport/logger.js";
import { hintMs } from "../transport/retry-policy.js";
import { endsPoll, type Wait, type WaitAnswer } from "./poll-group.js";
import type { ReadAnswer, SharedPolls } from "./shared-polls.js";
import type { WaitOptions } from "./wait-options.js";
import { orCloseEvents, Wake } from "./wake.js";

export interface WaitTarget<T> {
  readonly operation: string;
  readonly meetingId: string;
  readonly options: z.core.$ZodType;
  readonly documents?: boolean;
  readonly transcript?: boolean;
  /** Reads the result from a poll of the list; `undefined` if it is not ready. It may throw a temporary error. */
  readonly read: ReadAnswer<T | undefined>;
}

const KEPT_BOT_HINT =
  "; if the id is from sendBot, another bot may be in the call, which the service keeps: find its meeting with meetings.list()";

function checkArguments({ operation, meetingId, options: schema }: WaitTarget<unknown>, options: WaitOptions): void {
  checkArgument(operation, schema, options);
  const issues: IssueInit[] = idIssues("meetingId", meetingId);
  mergeHeaders({}, options.headers, issues);
  if (issues.length > 0) throw new InvalidArgumentError({ operation, issues });
}

/** Throws if a poll without a result ends the wait: the list could not be read, or the meeting has failed. */
function checkAnswer(
  { meeting, error }: WaitAnswer,
  { meetingId, transcript }: WaitTarget<unknown>,
  attempts: number,
): void {
  // A transcript may exist although the list cannot be read.
  if (error !== undefined && (!transcript || endsPoll(error))) throw error;
  if (meeting?.status === "failed") throw new MeetingFailedError({ meetingId, attempts });
}

export async function waitFor<T>(polls: SharedPolls, options: WaitOptions = {}, target: WaitTarget<T>): Promise<T> {
  orCloseEvents(options?.wake, () => checkArguments(target, options));
  const { operation, meetingId, documents = false, transcript = false } = target;
  const { timeoutMs = 3_600_000, pollMs = 5_000, notListedTimeoutMs = 300_000, onPoll, headers } = options;

  const startedAt = polls.clock.now();
  const waitedMs = () => Math.round(polls.clock.now() - startedAt);
  /** Whether the list has shown the meeting; `undefined` until a poll could tell. */
  let isListed: boolean | undefined;
  let error: AnyNotetakerError | undefined;
  const timeoutError = (leastMs = 0): WaitTimeoutError => {
    const hint = isListed === false ? KEPT_BOT_HINT : "";
    const ms = Math.max(leastMs, waitedMs());
    const message = `${operation}: ${meetingId} was not ready after ${ms} ms${error ? `: ${error.message}` : hint}`;
    return new WaitTimeoutError({ message, meetingId, waitedMs: ms, attempts: wait.requests, cause: error });
  };

  const limit = new TimeLimit(options.signal, timeoutMs, timeoutError);
  const { signal } = limit;
  const wake = options.wake && new Wake(options.wake, meetingId);
  const wait: Wait = { meetingId, documents, transcript, headers, pollMs, signal, wake, requests: 0 };

  /** A temporary error (a 429, a 5xx, a lost connection, a timeout) and a page of a proxy do not end the wait. */
  const poll = async (afterMs: number): Promise<{ result?: T | undefined; answer?: WaitAnswer }> => {
    try {
      return await polls.ask(wait, afterMs, async (answer, send) => {
        const result = await target.read(answer, send);
        if (result === undefined) checkAnswer(answer, target, wait.requests);
        error = isInconclusive(answer.error) ? answer.error : undefined;
        return { result, answer };
      });
    } catch (failure) {
      throwIfAborted(signal);
      if (!isInconclusive(failure)) throw failure;
      wait.group?.postpone(hintMs(failure) ?? 0);
      error = failure;
      return {};
    }
  };

  try {
    for (let number = 1, delayMs = 0; ; number += 1) {
      const { result, answer } = await poll(delayMs);
      if (result !== undefined) return result;
      if (isListed !== true) isListed = answer?.isListed ?? isListed;
      // A list that cannot be read, or that has shown the meeting before, does not end the wait.
      const isMissing = answer?.isListed === false && isListed === false;
      const unlistedMs = isMissing ? notListedTimeoutMs - waitedMs() : Number.POSITIVE_INFINITY;
      if (unlistedMs <= 0) throw timeoutError();
      delayMs = wait.group?.pauseBeforeNext(wait, unlistedMs) ?? pollMs;
      const status = answer?.meeting?.status;
      const report = { poll: number, waitedMs: waitedMs(), status, error, nextPollMs: delayMs };
      notify("onPoll", onPoll, report, polls.transport.config.logger);
    }
  } finally {
    limit.dispose();
    polls.leave(wait);
    wake?.close();
  }
}
