/** The meetings that events have named, until they are read. */
import * as z from "zod/mini";
import type { Clock } from "../async/clock.js";
import { isAsyncIterable } from "../async/symbols.js";
import { checkArgument } from "../errors/check-arguments.js";
import { isRecord } from "../json/is-record.js";
import { idProblem } from "../schemas/ids.js";
import { custom } from "../schemas/primitives.js";
import { readEvents } from "../waiting/wake.js";
import type { WakeSource } from "./sync-options.js";

/** More ids of events than this are not kept one by one: the next poll finds most of their meetings. */
const MAX_IDS = 10_000;
/** The events that arrive within this time are handled together. */
const GATHER_MS = 500;

/** What a function in JavaScript returns may be a promise, which has no events. */
const returnedEvents = z.looseObject({
  wake: custom(isAsyncIterable, "a function that returns an async iterable of events"),
});

export class EventInbox {
  readonly #clock: Clock;
  readonly ids: Set<string>;
  /** When the gathered events are handled, by the clock; `undefined`: there are none. */
  #readyAt: number | undefined;
  /** Whether an event has named no meeting: then the list is read. */
  #isAnyMeeting = false;
  #arrived = () => {};

  constructor(clock: Clock, ids: Iterable<string> = []) {
    this.#clock = clock;
    this.ids = new Set(ids);
    if (this.ids.size > 0) this.#readyAt = clock.now();
  }

  /** Reads events from now on. The returned function does not wait for the events to end: they may hang. */
  read(wake: WakeSource, signal: AbortSignal): () => void {
    const events = typeof wake === "function" ? wake(signal) : wake;
    checkArgument("syncMeetings", returnedEvents, { wake: events });
    return readEvents(events, (event) => {
      const id = isRecord(event) ? event.meetingId : undefined;
      const isKept = typeof id === "string" && idProblem("meetingId", id) === undefined && this.ids.size < MAX_IDS;
      if (isKept) this.ids.add(id);
      else this.#isAnyMeeting = true;
      this.#readyAt ??= this.#clock.now() + GATHER_MS;
      this.#arrived();
    });
  }

  /** How long until there is something to read; `Infinity` if nothing has arrived. */
  get readyInMs(): number {
    return this.#readyAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.#readyAt - this.#clock.now());
  }

  /** Resolves at the next event. Only the latest call waits: polls without events keep nothing. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Whether an event has named no meeting since the last call. */
  takeAnyMeeting(): boolean {
    const isAnyMeeting = this.#isAnyMeeting;
    this.#isAnyMeeting = false;
    if (this.ids.size === 0) this.#readyAt = undefined;
    return isAnyMeeting;
  }

  /** These meetings have been read. */
  done(ids: Iterable<string>): void {
    for (const id of ids) this.ids.delete(id);
    if (this.ids.size === 0 && !this.#isAnyMeeting) this.#readyAt = undefined;
  }
}
