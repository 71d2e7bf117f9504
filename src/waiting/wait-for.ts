/** Polls until there is a result, an error that is not temporary, or no more time. */
import type * as z from "zod/mini";
import type { AnyNotetakerError } from "../errors/any-notetaker-error.js";
import { checkArgument, InvalidArgumentError } from "../errors/argument-errors.js";
import { MeetingFailedError, WaitTimeoutError } from "../errors/call-errors.js";
import { isTemporary } from "../errors/is-temporary.js";
import { idProblem } from "../schemas/ids.js";
import { notify } from "../transport/logger.js";
import { hintMs } from "../transport/retry-policy.js";
import { timeLimit } from "../transport/time-limit.js";
import { endsPoll, type WaitAnswer } from "./look-up-meetings.js";
import type { PollRequest } from "./meeting-requests.js";
import { type PollBatcher, PollMember } from "./poll-batcher.js";
import type { WaitOptions } from "./wait-options.js";
import { wakeOnEvents } from "./wake.js";

/** What a wait is for. */
export interface WaitTarget<T> {
  readonly operation: string;
  readonly meetingId: string;
  /** The schema of the options. */
  readonly options: z.core.$ZodType;
  /** Whether the wait needs the meeting's documents. */
  readonly documents?: boolean;
  /** Whether the wait is for the transcript, which it requests when it has its turn. */
  readonly transcript?: boolean;
  /**
   * Reads the result from a poll of the list; `undefined` if it is not ready yet. `request` has the options of further
   * requests. A temporary error that it throws does not end the wait; any other error does.
   */
  read(answer: WaitAnswer, request: PollRequest): T | undefined | Promise<T | undefined>;
}

const KEPT_BOT_HINT =
  "; if another bot was already in this call, the service keeps that bot: find the meeting with meetings.list()";

/** `isListed` and `error` are what the latest polls have shown. */
function waitTimeoutError(
  { operation, meetingId }: WaitTarget<unknown>,
  waitedMs: number,
  isListed: boolean | undefined,
  error: AnyNotetakerError | undefined,
): WaitTimeoutError {
  const hint = isListed === false ? KEPT_BOT_HINT : "";
  const reason = error === undefined ? hint : `: ${error.message}`;
  const message = `${operation}: ${meetingId} was not ready after ${waitedMs} ms${reason}`;
  return new WaitTimeoutError(message, { meetingId, waitedMs, cause: error });
}

function checkArguments({ operation, meetingId, options: schema }: WaitTarget<unknown>, options: WaitOptions): void {
  checkArgument(operation, schema, options);
  const message = idProblem("meetingId", meetingId);
  if (message !== undefined) throw new InvalidArgumentError(operation, [{ path: "meetingId", message }]);
}

/** Throws if a poll without a result ends the wait: the list could not be read, or the meeting has failed. */
function checkAnswer({ meeting, error, hasTurn }: WaitAnswer, { meetingId, transcript }: WaitTarget<unknown>): void {
  // A transcript may exist although the list cannot be read, or says that the meeting has failed.
  if (error !== undefined && (!transcript || endsPoll(error))) throw error;
  if (meeting?.status === "failed" && (!transcript || hasTurn)) {
    throw new MeetingFailedError(`The meeting ${meetingId} has failed`, { meetingId });
  }
}

export async function waitFor<T>(batcher: PollBatcher, options: WaitOptions = {}, target: WaitTarget<T>): Promise<T> {
  checkArguments(target, options);
  const { timeoutMs = 3_600_000, pollMs = 5_000, notListedTimeoutMs = 300_000, onPoll, headers } = options;
  const { meetingId, documents = false, transcript = false } = target;
  const startedAt = performance.now();
  const waitedMs = () => Math.round(performance.now() - startedAt);
  /** Whether the list has shown the meeting; `undefined` until a poll could tell. */
  let isListed: boolean | undefined;
  /** The temporary error of the latest poll. */
  let error: AnyNotetakerError | undefined;
  const timeoutError = () => waitTimeoutError(target, waitedMs(), isListed, member.isPolling ? undefined : error);

  const { signal, dispose } = timeLimit(options.signal, timeoutMs, timeoutError);
  const wake = options.wake && wakeOnEvents(options.wake, meetingId);
  const turns = { lastUrgentTurn: 0, lastTurn: 0 };
  const member = new PollMember(batcher, { meetingId, documents, transcript, headers, pollMs, signal, wake, ...turns });

  /** A temporary error (a 429, a 5xx, a lost connection, a timeout) does not end the wait. */
  const poll = async (): Promise<{ result?: T | undefined; answer?: WaitAnswer }> => {
    try {
      return await member.poll(async (answer, request) => {
        const result = await target.read(answer, request);
        if (result === undefined) checkAnswer(answer, target);
        error = isTemporary(answer.error) ? answer.error : undefined;
        return { result, answer };
      });
    } catch (failure) {
      if (signal.aborted) throw signal.reason;
      if (!isTemporary(failure)) throw failure;
      member.postpone(hintMs(failure) ?? 0);
      error = failure;
      return {};
    }
  };

  try {
    for (let number = 1, delayMs = 0; ; number += 1) {
      await member.pause(delayMs);
      const { result, answer } = await poll();
      if (result !== undefined) return result;
      if (isListed !== true) isListed = answer?.isListed ?? isListed;
      // A list that cannot be read, or that has shown the meeting before, does not end the wait.
      const isMissing = answer?.isListed === false && isListed === false;
      const unlistedMs = isMissing ? notListedTimeoutMs - waitedMs() : Number.POSITIVE_INFINITY;
      if (unlistedMs <= 0) throw timeoutError();
      delayMs = Math.ceil(Math.max(member.postponedMs, Math.min(pollMs * member.jitter, unlistedMs)));
      const status = answer?.meeting?.status;
      const report = { poll: number, waitedMs: waitedMs(), status, error, nextPollMs: delayMs };
      notify("onPoll", onPoll, report, batcher.requests.transport.config.logger);
    }
  } finally {
    dispose();
    member.leave();
    wake?.close();
  }
}
