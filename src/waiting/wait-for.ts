/** Polls until there is a result, an error that is not temporary, or no more time. */
import type * as z from "zod/mini";
import type { AnyNotetakerError } from "../errors/any-notetaker-error.js";
import { checkArgument, InvalidArgumentError } from "../errors/argument-errors.js";
import { WaitTimeoutError } from "../errors/call-errors.js";
import { isTemporary } from "../errors/is-temporary.js";
import { idProblem } from "../schemas/ids.js";
import { notify } from "../transport/logger.js";
import { hintMs } from "../transport/retry-policy.js";
import { timeLimit } from "../transport/time-limit.js";
import type { WaitAnswer } from "./look-up-meetings.js";
import type { MeetingPolls } from "./meeting-polls.js";
import { PollMember, type PollRequest } from "./poll-batcher.js";
import type { WaitOptions } from "./wait-options.js";
import { wakeOnEvents } from "./wake.js";

/** The result of one poll. */
export interface PollResult<T> {
  /** The value that the wait is for; `undefined` if it is not ready yet. */
  readonly result?: T | undefined;
  /** The meeting's status, if the service shows it. */
  readonly status?: string | undefined;
  /** Whether the list shows the meeting; `undefined` if the list cannot tell. */
  readonly isListed?: boolean | undefined;
  /** A temporary error, which does not end the wait. */
  readonly error?: AnyNotetakerError | undefined;
}

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
   * Reads the result from a poll of the list. `request` has the options of further requests. A temporary error that it
   * throws does not end the wait; any other error does.
   */
  read(answer: WaitAnswer, request: PollRequest): PollResult<T> | Promise<PollResult<T>>;
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

export async function waitFor<T>(
  polls: MeetingPolls,
  options: WaitOptions | undefined = {},
  target: WaitTarget<T>,
): Promise<T> {
  checkArguments(target, options);
  const { timeoutMs = 3_600_000, pollMs = 5_000, notListedTimeoutMs = 300_000, onPoll, headers } = options;
  const { meetingId, documents = false, transcript = false } = target;
  const startedAt = performance.now();
  const waitedMs = () => Math.round(performance.now() - startedAt);
  let isListed: boolean | undefined;
  let error: AnyNotetakerError | undefined;
  const timeoutError = () => waitTimeoutError(target, waitedMs(), isListed, member.isPolling ? undefined : error);

  const { signal, dispose } = timeLimit(options.signal, timeoutMs, timeoutError);
  const wake = options.wake && wakeOnEvents(options.wake, meetingId);
  const isWoken = () => wake?.hasEvent === true;
  const question = { meetingId, documents, transcript, signal, isWoken, lastUrgentTurn: 0, lastTurn: 0 };
  const member = new PollMember(polls.waits, { question, headers, pollMs, signal, wake });

  /** A temporary error (a 429, a 5xx, a lost connection, a timeout) is part of the result. */
  const poll = async (delayMs: number): Promise<PollResult<T>> => {
    try {
      return await member.poll(delayMs, (answer, request) => {
        if (answer.answersEvents) wake?.answer();
        return target.read(answer, request);
      });
    } catch (failure) {
      if (signal.aborted) throw signal.reason;
      if (!isTemporary(failure)) throw failure;
      member.postpone(hintMs(failure) ?? 0);
      return { error: failure };
    }
  };

  try {
    for (let number = 1, delayMs = 0; ; number += 1) {
      const found = await poll(delayMs);
      if (found.result !== undefined) return found.result;
      error = found.error;
      if (isListed !== true) isListed = found.isListed ?? isListed;
      // A list that cannot be read, or that has shown the meeting before, does not end the wait.
      const isMissing = found.isListed === false && isListed === false;
      const unlistedMs = isMissing ? notListedTimeoutMs - waitedMs() : Number.POSITIVE_INFINITY;
      if (unlistedMs <= 0) throw timeoutError();
      delayMs = Math.ceil(Math.max(member.postponedMs, Math.min(pollMs * member.jitter, unlistedMs)));
      const report = { poll: number, waitedMs: waitedMs(), status: found.status, error, nextPollMs: delayMs };
      notify("onPoll", onPoll, report, polls.logger);
    }
  } finally {
    dispose();
    member.leave();
    wake?.close();
  }
}
