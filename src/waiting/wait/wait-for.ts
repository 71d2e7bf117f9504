/** Polls until there is a result, an error that is not temporary, or no more time. */
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { WaitTimeoutError } from "../../errors/call-errors.js";
import { isTemporary } from "../../errors/is-temporary.js";
import type { NotetakerError } from "../../errors/notetaker-error.js";
import { idProblem } from "../../schemas/ids.js";
import { hintMs } from "../../transport/retry-policy.js";
import { timeLimit } from "../../transport/time-limit.js";
import { callerToken, pollWithToken } from "../poll/caller-token.js";
import type { ListedMeeting } from "../poll/meeting-lookup.js";
import type { MeetingPolls, MeetingRequest } from "../poll/meeting-polls.js";
import { WAIT_DEFAULTS, type WaitOptions, waitOptionsSchema } from "./wait-options.js";
import { wakeOnEvents } from "./wake.js";

/** The result of one poll. */
export interface PollResult<T> {
  /** The value that the waiter waits for; `undefined` if it is not ready yet. */
  readonly result?: T | undefined;
  /** The meeting's status, if the service shows it. */
  readonly status?: string | undefined;
  /** Whether the list shows the meeting; `undefined` if the list cannot tell. */
  readonly isListed?: boolean | undefined;
  /** A temporary error, which does not end the wait. */
  readonly error?: NotetakerError | undefined;
  /** A random factor for the pause after the poll. Default 1. */
  readonly jitter?: number;
}

/** The argument of `WaitTarget.read`: the result of a poll of the list, and the means for further requests. */
export interface WaitStep {
  readonly listed: ListedMeeting;
  /** The event of the option `wake` that this poll answers, if one has arrived. */
  readonly event: unknown;
  /** Whether the wait ends after this poll unless it has a result: the list has not shown the meeting for too long. */
  readonly isLast: boolean;
  /** The options for further requests of this poll. */
  readonly request: MeetingRequest;
  /**
   * Whether this waiter may now request its transcript without knowing that it is ready: see {@link TranscriptTurns}.
   */
  takeTurn(): boolean;
  /** Gives up the turn, because this waiter does not need such a request now. */
  leaveTurn(): void;
}

/** What a waiter waits for. */
export interface WaitTarget<T> {
  readonly operation: string;
  readonly meetingId: string;
  /** Whether the waiter needs the meeting's documents. */
  readonly documents?: boolean;
  /**
   * Reads the result from a poll of the list. A temporary error that it throws does not end the wait; any other error
   * does.
   */
  read(step: WaitStep): Promise<PollResult<T>>;
}

const KEPT_BOT_HINT =
  "; if another bot was already in this call, the service keeps that bot: find the meeting with meetings.list()";

/** Checks the arguments, and fills in the defaults. */
function checkedOptions({ operation, meetingId }: WaitTarget<unknown>, options: WaitOptions) {
  checkArgument(operation, waitOptionsSchema, options);
  const problem = idProblem("meetingId", meetingId);
  if (problem !== undefined) throw new InvalidArgumentError(operation, [{ path: "meetingId", message: problem }]);
  return {
    ...options,
    timeoutMs: options.timeoutMs ?? WAIT_DEFAULTS.timeoutMs,
    pollMs: options.pollMs ?? WAIT_DEFAULTS.pollMs,
    notListedTimeoutMs: options.notListedTimeoutMs ?? WAIT_DEFAULTS.notListedTimeoutMs,
  };
}

/** The state of a wait: the time that has passed, and whether the list shows the meeting. */
class WaitState {
  readonly #target: WaitTarget<unknown>;
  readonly #notListedTimeoutMs: number;
  readonly #startedAt = Date.now();
  /** `undefined` until a poll has shown it. */
  #isListed: boolean | undefined;
  #error: NotetakerError | undefined;

  constructor(target: WaitTarget<unknown>, notListedTimeoutMs: number) {
    this.#target = target;
    this.#notListedTimeoutMs = notListedTimeoutMs;
  }

  get waitedMs(): number {
    return Date.now() - this.#startedAt;
  }

  /**
   * How long the meeting may still be missing from the list, in milliseconds; `Infinity` once the list has shown it.
   */
  get unlistedMs(): number {
    return this.#isListed === true ? Number.POSITIVE_INFINITY : this.#notListedTimeoutMs - this.waitedMs;
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

export async function waitFor<T>(polls: MeetingPolls, target: WaitTarget<T>, options: WaitOptions = {}): Promise<T> {
  const { timeoutMs, pollMs, notListedTimeoutMs, onPoll, headers, ...checked } = checkedOptions(target, options);
  const { meetingId } = target;
  const state = new WaitState(target, notListedTimeoutMs);
  const { signal, dispose } = timeLimit(checked.signal, timeoutMs, () => state.timeoutError());
  const wake = checked.wake === undefined ? undefined : wakeOnEvents(checked.wake, meetingId);
  const { meetings, transcripts } = polls.lookups(headers);
  const member = meetings.join({ meetingId, documents: target.documents === true });
  const token = callerToken(polls.reader.requestToken, signal);

  const pollOnce = async (delayMs: number): Promise<PollResult<T>> => {
    let event: unknown;
    const onBegin = () => {
      state.pollBegins();
      event = wake?.answer();
    };
    const { answer, poll } = await member.nextPoll({ delayMs, pollMs, wake: wake?.event, signal, token, onBegin });
    const found = await target.read({
      listed: answer,
      event,
      isLast: answer.isListed === false && state.unlistedMs <= 0,
      request: { signal, headers, token: token?.current },
      takeTurn: () => transcripts.take(member, poll),
      leaveTurn: () => transcripts.leave(member),
    });
    return { jitter: poll.jitter, ...found };
  };

  /** Like `pollOnce`, but a temporary error (a 429, a 5xx, a lost connection, a timeout) is part of the result. */
  const pollUntilAnswered = async (delayMs: number): Promise<PollResult<T>> => {
    try {
      return await pollWithToken(pollOnce, delayMs, token);
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      meetings.hold(hintMs(error) ?? 0);
      return { error };
    }
  };

  try {
    for (let count = 1, delayMs = 0; ; count += 1) {
      const found = await pollUntilAnswered(delayMs);
      if (found.result !== undefined) return found.result;
      state.pollEnded(found);
      const unlistedMs = found.isListed === false ? state.unlistedMs : Number.POSITIVE_INFINITY;
      if (unlistedMs <= 0) throw state.timeoutError();

      delayMs = Math.max(meetings.heldMs(), Math.min(pollMs * (found.jitter ?? 1), Math.ceil(unlistedMs)));
      const { status, error } = found;
      onPoll?.({ poll: count, waitedMs: state.waitedMs, status, error, nextPollMs: delayMs });
    }
  } finally {
    dispose();
    transcripts.leave(member);
    member.leave();
    wake?.close();
  }
}
