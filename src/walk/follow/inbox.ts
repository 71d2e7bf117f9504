/** The events of the option `wake`, until the loop handles them. */
import { ASYNC_ITERATOR } from "../../async/symbols.js";
import { pause } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { idProblem } from "../../schemas/ids.js";

/** More events than this are not kept one by one: the polls find most of their meetings. */
const MAX_IDS = 10_000;
/** After this many events in a row, reading pauses, so that other code can run. */
const MAX_EVENTS_IN_A_ROW = 1_000;

/** Reads the events from now on. If reading fails or ends, no error is thrown: the polls go on without them. */
export class EventInbox {
  #ids = new Set<string>();
  #hasEvent = false;
  #closed = false;
  #iterator: AsyncIterator<unknown> | undefined;
  #arrived = () => {};

  constructor(events: AsyncIterable<unknown> | undefined) {
    if (events !== undefined) this.#read(events).catch(() => {});
  }

  /** Whether an event has arrived that was not taken. */
  get hasEvent(): boolean {
    return this.#hasEvent;
  }

  /** Resolves at the next event, or at once if there is one. Only the latest call waits: polls without events keep nothing. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
      if (this.#hasEvent) resolve();
    });
  }

  /** The meetings that the events have named since the last call. */
  take(): string[] {
    const ids = [...this.#ids];
    this.#ids = new Set();
    this.#hasEvent = false;
    return ids;
  }

  /** Adds meetings that could not be requested, as if their events had just arrived. */
  add(ids: Iterable<string>): void {
    for (const id of ids) if (this.#ids.size < MAX_IDS) this.#ids.add(id);
    this.#hasEvent = true;
    this.#arrived();
  }

  /** Does not wait for the events to end: they may hang. */
  close(): void {
    this.#closed = true;
    void (async () => this.#iterator?.return?.())().catch(() => {});
  }

  async #read(events: AsyncIterable<unknown>): Promise<void> {
    const iterator = events[ASYNC_ITERATOR]();
    this.#iterator = iterator;
    for (let count = 1; !this.#closed; count += 1) {
      const { done, value } = await iterator.next();
      if (done || this.#closed) return;
      const id = isRecord(value) ? value.meetingId : undefined;
      this.add(typeof id === "string" && idProblem("meetingId", id) === undefined ? [id] : []);
      if (count % MAX_EVENTS_IN_A_ROW === 0) await pause(0);
    }
  }
}
