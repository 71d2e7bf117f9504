/** The events of the option `wake`, until the loop handles them. */
import { isRecord } from "../../json/is-record.js";
import { idProblem } from "../../schemas/ids.js";
import { readEvents } from "../../waiting/wake.js";

/** More events than this are not kept one by one: the polls find most of their meetings. */
const MAX_IDS = 10_000;

/** Reads the events from now on. */
export class EventInbox {
  #ids = new Set<string>();
  #hasEvent = false;
  #arrived = () => {};
  /** Does not wait for the events to end: they may hang. */
  readonly close: () => void;

  constructor(events: AsyncIterable<unknown> | undefined) {
    this.close = events === undefined ? () => {} : readEvents(events, (event) => this.#receive(event));
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

  #receive(event: unknown): void {
    const id = isRecord(event) ? event.meetingId : undefined;
    this.add(typeof id === "string" && idProblem("meetingId", id) === undefined ? [id] : []);
  }
}
