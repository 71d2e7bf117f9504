/** Polls until there is a result, an error that is not temporary, or no more time. */
import type * as z from "zod/mini";
import type { AnyNotetakerError } from "../errors/any-notetaker-error.js";
import { checkArgument, InvalidArgumentError } from "../errors/argument-errors.js";
import { WaitTimeoutError } from "../errors/call-errors.js";
import { isTemporary } from "../errors/is-temporary.js";
import { idProblem } from "../schemas/ids.js";
import { notify } from "../transport/notify.js";
import { hintMs } from "../transport/retry-policy.js";
import { timeLimit } from "../transport/time-limit.js";
import { CallerToken } from "./caller-token.js";
import type { WaitAnswer } from "./look-up-meetings.js";
import type { MeetingPolls } from "./meeting-polls.js";
import { PollMember, type PollRequest } from "./poll-batcher.js";
import { NO_TURN_YET } from "./transcript-turns.js";
import { WAIT_DEFAULTS, type WaitOptions } from "./wait-options.js";
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
  read(answer: WaitAnswer, request: PollRequest): Promise<PollResult<T>>;
}

const KEPT_BOT_HINT =
  "; if another bot was already in this call, the service keeps that bot: find the meeting with meetings.list()";

/** The state of a wait: the time that has passed, and whether the list shows the meeting. */
class WaitState {
  readonly #target: WaitTarget<unknown>;
  readonly #notListedTimeoutMs: number;
  readonly #startedAt = performance.now();
  /** `undefined` until a poll has shown it. */
  #isListed: boolean | undefined;
  #error: AnyNotetakerError | undefined;

  constructor(target: WaitTarget<unknown>, notListedTimeoutMs: number) {
    this.#target = target;
    this.#notListedTimeoutMs = notListedTimeoutMs;
  }

  get waitedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /**
   * How long the meeting may still be missing from the list, in milliseconds; `Infinity` once the list has shown it, or
   * while the list cannot tell.
   */
  unlistedMs({ isListed }: PollResult<unknown>): number {
    const isMissing = isListed === false && this.#isListed !== true;
    return isMissing ? this.#notListedTimeoutMs - this.waitedMs : Number.POSITIVE_INFINITY;
  }

  pollBegins(): void {
    this.#error = undefined;
  }

  pollEnded({ isListed, error }: PollResult<unknown>): void {
    this.#error = error;
    if (this.#isListed !== true && isListed !== undefined) this.#isListed = isListed;
  }

  timeoutError(): WaitTimeoutError {
    const { operation, meetingId } = this.#target;
    const { waitedMs } = this;
    const error = this.#error;
    const hint = this.#isListed === false ? KEPT_BOT_HINT : "";
    const reason = error === undefined ? hint : `: ${error.message}`;
    const message = `${operation}: ${meetingId} was not ready after ${waitedMs} ms${reason}`;
    return new WaitTimeoutError(message, { meetingId, waitedMs, cause: error });
  }
}

/** Checks the arguments, and fills in the defaults. */
function checkedOptions({ operation, meetingId, options: schema }: WaitTarget<unknown>, options: WaitOptions) {
  checkArgument(operation, schema, options);
  const problem = idProblem("meetingId", meetingId);
  if (problem !== undefined) throw new InvalidArgumentError(operation, [{ path: "meetingId", message: problem }]);
  return {
    ...options,
    timeoutMs: options.timeoutMs ?? WAIT_DEFAULTS.timeoutMs,
    pollMs: options.pollMs ?? WAIT_DEFAULTS.pollMs,
    notListedTimeoutMs: options.notListedTimeoutMs ?? WAIT_DEFAULTS.notListedTimeoutMs,
  };
}

export async function waitFor<T>(
  polls: MeetingPolls,
  options: WaitOptions | undefined = {},
  target: WaitTarget<T>,
): Promise<T> {
  const { timeoutMs, pollMs, notListedTimeoutMs, onPoll, headers, ...checked } = checkedOptions(target, options);
  const { meetingId, documents = false, transcript = false } = target;
  const { requestToken, logger } = polls.requests;
  const state = new WaitState(target, notListedTimeoutMs);
  const { signal, dispose } = timeLimit(checked.signal, timeoutMs, () => state.timeoutError());
  const wake = checked.wake && wakeOnEvents(checked.wake, meetingId);
  const token = new CallerToken(requestToken, signal);
  const question = { meetingId, documents, transcript, signal, isWoken: () => wake?.hasEvent === true, ...NO_TURN_YET };
  let wasWoken = false;
  const onSent = () => {
    state.pollBegins();
    wasWoken = question.isWoken();
  };
  const member = new PollMember(polls.waits, { question, headers, pollMs, token, signal, onSent });
  let jitter = 1;

  const pollOnce = async (delayMs: number): Promise<PollResult<T>> => {
    const poll = await member.nextPoll(delayMs, wake?.event);
    jitter = poll.jitter;
    // An event is answered by a request that was sent after it: for a transcript, by the request of the transcript.
    if (transcript ? poll.answer.hasTurn : wasWoken) wake?.answer();
    return target.read(poll.answer, { headers, signal, token: token.current });
  };

  /** Like `pollOnce`, but a temporary error (a 429, a 5xx, a lost connection, a timeout) is part of the result. */
  const pollUntilAnswered = async (delayMs: number): Promise<PollResult<T>> => {
    try {
      return await token.pollWith(pollOnce, delayMs);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!isTemporary(error)) throw error;
      member.postpone(hintMs(error) ?? 0);
      return { error };
    }
  };

  try {
    for (let poll = 1, delayMs = 0; ; poll += 1) {
      const found = await pollUntilAnswered(delayMs);
      if (found.result !== undefined) return found.result;
      state.pollEnded(found);
      const unlistedMs = state.unlistedMs(found);
      if (unlistedMs <= 0) throw state.timeoutError();
      delayMs = Math.ceil(Math.max(member.postponedMs, Math.min(pollMs * jitter, unlistedMs)));
      const { status, error } = found;
      const report = { poll, waitedMs: state.waitedMs, status, error, nextPollMs: delayMs };
      notify("onPoll", onPoll, report, logger);
    }
  } finally {
    dispose();
    member.leave();
    wake?.close();
  }
}
