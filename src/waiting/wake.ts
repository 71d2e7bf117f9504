/** Reads the events of the option `wake`, which start the next poll early. */
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { pause } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";

/** After this many events in a row, reading pauses, so that other code can run. */
const MAX_EVENTS_IN_A_ROW = 1_000;

/**
 * Reads `events` one by one: the next one when `take` has resolved. If reading fails, no error is thrown, and polling
 * continues without events. Returns a function that stops reading and closes the iterator, which may hang.
 */
export function readEvents(events: AsyncIterable<unknown>, take: (event: unknown) => void | Promise<void>): () => void {
  let iterator: AsyncIterator<unknown> | undefined;
  let closed = false;
  const read = async (): Promise<void> => {
    iterator = events[ASYNC_ITERATOR]();
    for (let count = 1; !closed; count += 1) {
      const { done, value } = await iterator.next();
      if (done || closed) return;
      await take(value);
      if (count % MAX_EVENTS_IN_A_ROW === 0) await pause(0);
    }
  };
  const close = async () => iterator?.return?.();
  read().catch(() => {});
  return () => {
    closed = true;
    close().catch(() => {});
  };
}

export interface Wake {
  /**
   * Resolves when an event arrives that may concern the meeting, or at once if one has arrived. Never resolves if there
   * are no more events, or after the next call.
   */
  untilEvent(): Promise<void>;
  /** Whether such an event has arrived and has not been answered. */
  readonly hasEvent: boolean;
  /** Call it when a poll answers the event. Later events count for the next poll. */
  answer(): void;
  /** Stops reading, and closes the iterator of the events. */
  close(): void;
}

/** Whether `event` may concern the meeting: it names that meeting, or no meeting. `undefined` is any meeting. */
const concerns = (event: unknown, meetingId: string | undefined) =>
  meetingId === undefined ||
  !isRecord(event) ||
  event.meetingId === undefined ||
  event.meetingId === null ||
  event.meetingId === meetingId;

/** After an event that may concern the meeting, reading pauses until a poll has answered that event. */
export function wakeOnEvents(events: AsyncIterable<unknown>, meetingId?: string): Wake {
  /** Continues reading; `undefined` if there is no event to answer. */
  let answer: (() => void) | undefined;
  // Only the latest call is waiting: a promise for all would keep something of each poll without events.
  let onEvent = () => {};
  const close = readEvents(events, (event) => {
    if (!concerns(event, meetingId)) return;
    onEvent();
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  return {
    untilEvent: () =>
      new Promise((resolve) => {
        onEvent = resolve;
        if (answer !== undefined) resolve();
      }),
    get hasEvent() {
      return answer !== undefined;
    },
    answer() {
      answer?.();
      answer = undefined;
    },
    close,
  };
}
