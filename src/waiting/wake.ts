/** Reads the events of the option `wake`, which start the next poll early. */
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { pause } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";

/** After this many events in a row, reading pauses, so that other code can run. */
const MAX_EVENTS_IN_A_ROW = 1_000;

/** The next event when `take` has resolved. A failure ends the events, not the wait. Returns how to stop. */
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

/** If `check` throws, nobody will read the events. They are closed: a receiver would keep them for a reader. */
export function orCloseEvents<T>(events: unknown, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const close = async () => (events as AsyncIterable<unknown>)[ASYNC_ITERATOR]().return?.();
    close().catch(() => {});
    throw error;
  }
}

/** Whether `event` may concern the meeting: it names that meeting, or no meeting. */
const concerns = (event: unknown, meetingId: string) =>
  !isRecord(event) || (event.meetingId ?? meetingId) === meetingId;

/** The events of one wait. After one that may concern its meeting, reading pauses until a poll has answered that event. */
export class Wake {
  readonly close: () => void;
  /** Continues reading; `undefined` if there is no event to answer. */
  #resume: (() => void) | undefined;
  // Only the latest call is waiting: a promise for all would keep something of each poll without events.
  #onEvent = () => {};

  constructor(events: AsyncIterable<unknown>, meetingId: string) {
    this.close = readEvents(events, (event) => {
      if (!concerns(event, meetingId)) return;
      this.#onEvent();
      return new Promise((resolve) => {
        this.#resume = resolve;
      });
    });
  }

  /** Whether an event has arrived that may concern the meeting, and has not been answered. */
  get hasEvent(): boolean {
    return this.#resume !== undefined;
  }

  /** Resolves when there is such an event. Never resolves if there are no more events, or after the next call. */
  untilEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEvent = resolve;
      if (this.hasEvent) resolve();
    });
  }

  /** Call it when a poll answers the event. Later events count for the next poll. */
  answer(): void {
    this.#resume?.();
    this.#resume = undefined;
  }
}
