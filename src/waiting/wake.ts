/** Reads the events of the option `wake`, which start the next poll early. */
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { pause } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";

/** After this many events in a row about other meetings, the loop pauses, so that other code can run. */
const MAX_EVENTS_IN_A_ROW = 1_000;

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

/**
 * Reads `events` one by one. After an event that may concern the meeting, reading pauses until a poll has answered that
 * event. If reading the events fails, no error is thrown, and polling continues without them.
 */
export function wakeOnEvents(events: AsyncIterable<unknown>, meetingId?: string): Wake {
  let iterator: AsyncIterator<unknown> | undefined;
  let closed = false;
  let hasEvent = false;
  // Only the latest call is waiting: a promise for all would keep something of each poll of a watch without events.
  let onEvent = () => {};

  const read = async (): Promise<void> => {
    try {
      iterator ??= events[ASYNC_ITERATOR]();
      for (let ignored = 0; !closed; ignored += 1) {
        const { done, value } = await iterator.next();
        if (done) break;
        if (concerns(value, meetingId)) {
          hasEvent = true;
          onEvent();
          return;
        }
        if (ignored % MAX_EVENTS_IN_A_ROW === MAX_EVENTS_IN_A_ROW - 1) await pause(0);
      }
    } catch {
      // The events have failed. Polling continues without them.
    }
  };

  void read();
  return {
    untilEvent: () =>
      new Promise((resolve) => {
        onEvent = resolve;
        if (hasEvent) resolve();
      }),
    get hasEvent() {
      return hasEvent;
    },
    answer() {
      if (!hasEvent) return;
      hasEvent = false;
      void read();
    },
    async close() {
      closed = true;
      try {
        await iterator?.return?.();
      } catch {
        // An error while closing the events does not matter.
      }
    },
  };
}
