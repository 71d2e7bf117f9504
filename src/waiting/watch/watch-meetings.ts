/** Implements `meetings.watch`: returns each completed meeting once, for programs that cannot receive webhooks. */

import { onAbort } from "../../async/abort.js";
import { ASYNC_ITERATOR } from "../../async/symbols.js";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { callerToken, pollWithToken } from "../poll/caller-token.js";
import type { MeetingPolls } from "../poll/meeting-polls.js";
import type { WalkedMeeting, WalkQuestion } from "../poll/meeting-walk.js";
import type { PollMember } from "../poll/shared-poll.js";
import { WATCH_DEFAULTS, type WatchedMeeting, type WatchOptions, watchOptionsSchema } from "./watch-options.js";
import { WatchProgress } from "./watch-progress.js";

const OPERATION = "meetings.watch";
const DAY_MS = 86_400_000;

/**
 * The start date for the list, which filters by the day on which a meeting began, in an unknown time zone. It is two
 * days before `floor`: a meeting that ended at `floor` or later certainly did not begin before that day.
 */
const startDateFor = (floor: number) => new Date(Math.max(0, floor - 2 * DAY_MS)).toISOString().slice(0, 10);

const byTime = (left: { time: number; id: string }, right: { time: number; id: string }) =>
  left.time - right.time || (left.id < right.id ? -1 : 1);

/** The completed meetings of a walk that have not been returned yet, oldest first. */
function* newMeetings(
  walked: readonly WalkedMeeting[],
  progress: WatchProgress,
): Generator<WatchedMeeting, void, undefined> {
  const now = Date.now();
  const inRange = walked.filter(({ time }) => time >= progress.floor);
  const unfinished = inRange
    .filter(({ status, time }) => status !== "completed" && status !== "failed" && Number.isFinite(time))
    .map(({ time }) => time)
    .sort((left, right) => left - right);
  const completed = inRange.filter(({ id, status }) => status === "completed" && !progress.has(id)).sort(byTime);
  for (const { id, time, meeting } of completed) yield { meeting, cursor: progress.add(id, time, unfinished, now) };
}

function readProgress(since: Date | string): WatchProgress {
  try {
    return new WatchProgress(since);
  } catch {
    const message = "expected a Date, a timestamp, or the cursor of an item; the cursor is damaged";
    throw new InvalidArgumentError(OPERATION, [{ path: "since", message }]);
  }
}

async function* watch(
  polls: MeetingPolls,
  options: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchedMeeting, void, undefined> {
  const { since, pollMs = WATCH_DEFAULTS.pollMs, headers } = options;
  const progress = readProgress(since);
  const token = callerToken(polls.reader.requestToken, signal);
  const question: WalkQuestion = { startDate: "" };
  const member: PollMember<readonly WalkedMeeting[]> = polls.walks(headers).join(question);
  try {
    for (let delayMs = 0; ; ) {
      question.startDate = startDateFor(progress.floor);
      const poll = (ms: number) => member.nextPoll({ delayMs: ms, pollMs, signal, token });
      const { answer, poll: request } = await pollWithToken(poll, delayMs, token);
      delayMs = pollMs * request.jitter;
      yield* newMeetings(answer, progress);
    }
  } finally {
    member.leave();
  }
}

/** See `Meetings.watch`. Leaving the loop, or calling `return()`, ends the polling at once. */
export function watchMeetings(polls: MeetingPolls, options: WatchOptions): AsyncIterableIterator<WatchedMeeting> {
  const controller = new AbortController();
  let hasLeft = false;
  let items: AsyncGenerator<WatchedMeeting, void, undefined> | undefined;

  const start = () => {
    checkArgument(OPERATION, watchOptionsSchema, options);
    return watch(polls, options, controller.signal);
  };
  const end = { done: true, value: undefined } as const;
  return {
    async next() {
      if (hasLeft) return end;
      items ??= start();
      const { signal } = options;
      if (signal?.aborted) {
        await items.return();
        throw signal.reason;
      }
      const stopListening = onAbort(signal, () => controller.abort(signal?.reason));
      try {
        return await items.next();
      } catch (error) {
        if (hasLeft) return end;
        throw error;
      } finally {
        stopListening();
      }
    },
    async return() {
      hasLeft = true;
      controller.abort();
      await items?.return().catch(() => {});
      return end;
    },
    [ASYNC_ITERATOR]() {
      return this;
    },
  };
}
