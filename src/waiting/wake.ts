/** Reads the events of the option `wake`, which start the next poll early. */
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { pause } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";

/** After this many events in a row about other meetings, the loop pauses, so that other code can run. */
const MAX_EVENTS_IN_A_ROW = 1_000;

export interface Wake {
  /** Resolves when an event arrives that may concern the meeting. Never resolves if there are no more events. */
  readonly event: Promise<void>;
  /** Whether such an event has arrived and has not been answered. */
  readonly hasEvent: boolean;
  /** Call it when a poll answers the event. Later events count for the next poll. */
  answer(): void;
  /** Stops reading, and closes the iterator of the events. */
  close(): void;
}

/** Whether `event` may concern the meeting: it names that meeting, or no meeting. */
const concerns = (event: unknown, meetingId: string) =>
  !isRecord(event) || event.meetingId === undefined || event.meetingId === null || event.meetingId === meetingId;

/**
 * Reads `events` one by one. After an event that may concern the meeting, reading pauses until a poll has answered that
 * event. If reading the events fails, no error is thrown, and polling continues without them.
 */
export function wakeOnEvents(events: AsyncIterable<unknown>, meetingId: string): Wake {
  let iterator: AsyncIterator<unknown> | undefined;
  let closed = false;
  let hasEvent = false;

  const read = async (): Promise<void> => {
    try {
      iterator ??= events[ASYNC_ITERATOR]();
      for (let ignored = 0; !closed; ignored += 1) {
        const { done, value } = await iterator.next();
        if (done) break;
        if (concerns(value, meetingId)) {
          hasEvent = true;
          return;
        }
        if (ignored % MAX_EVENTS_IN_A_ROW === MAX_EVENTS_IN_A_ROW - 1) await pause(0);
      }
    } catch {
      // The events have failed. Polling continues without them.
    }
    return new Promise(() => {});
  };

  let event = read();
  return {
    get event() {
      return event;
    },
    get hasEvent() {
      return hasEvent;
    },
    answer() {
      if (!hasEvent) return;
      hasEvent = false;
      event = read();
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
