/** Events from elsewhere that say that it is time to poll again. */
import { ASYNC_ITERATOR } from "../../async/async-iterator.js";
import { pause } from "../../async/pause.js";
import { isRecord } from "../../json/is-record.js";

/** After this many events in a row about other meetings, the rest of the program gets a turn. */
const MAX_EVENTS_IN_A_ROW = 1_000;

export interface Wake {
  /** Resolves when an event has come that may concern the meeting; never, if there are no more. */
  readonly event: Promise<void>;
  /**
   * To be called when a poll begins: returns the event that has come, if any, which this poll answers. Later ones count
   * for the poll after it.
   */
  answer(): unknown;
  /** Stops reading, and closes the events. */
  close(): void;
}

/** Whether `event` may concern the meeting: it names that meeting, or none. */
const concerns = (event: unknown, meetingId: string) =>
  !isRecord(event) || event.meetingId === undefined || event.meetingId === null || event.meetingId === meetingId;

/**
 * Reads `events` one by one: the event after one that may concern the meeting is read when a poll has answered that
 * one. However the events fail, nothing is thrown: polling then goes on without them.
 */
export function wakeOnEvents(events: AsyncIterable<unknown>, meetingId: string): Wake {
  let iterator: AsyncIterator<unknown> | undefined;
  let closed = false;
  let latest: { readonly event: unknown } | undefined;

  const read = async (): Promise<void> => {
    try {
      iterator ??= events[ASYNC_ITERATOR]();
      for (let ignored = 0; !closed; ignored += 1) {
        const { done, value } = await iterator.next();
        if (done) break;
        if (concerns(value, meetingId)) {
          latest = { event: value };
          return;
        }
        if (ignored % MAX_EVENTS_IN_A_ROW === MAX_EVENTS_IN_A_ROW - 1) await pause(0);
      }
    } catch {
      // The events have failed: the polls go on without them.
    }
    return new Promise(() => {});
  };

  let event = read();
  return {
    get event() {
      return event;
    },
    answer() {
      if (latest === undefined) return undefined;
      const answered = latest.event;
      latest = undefined;
      event = read();
      return answered;
    },
    async close() {
      closed = true;
      try {
        await iterator?.return?.();
      } catch {
        // Nothing depends on how the events end.
      }
    },
  };
}
