/** The meetings that events have named, until they are handled. */
import * as z from "zod/mini";
import type { Clock } from "../../async/clock.js";
import { isAsyncIterable } from "../../async/symbols.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { isRecord } from "../../json/is-record.js";
import { idProblem } from "../../schemas/ids.js";
import { custom } from "../../schemas/primitives.js";
import { readEvents } from "../../waiting/wake.js";
import type { WakeSource } from "../sync-options.js";

/** More ids of events than this are not kept one by one: the next poll finds most of their meetings. */
const MAX_IDS = 10_000;
/** The events that arrive within this time are handled together. */
const GATHER_MS = 1_000;

/** What a function in JavaScript returns may be a promise, which has no events. */
const returnedEvents = z.looseObject({
  wake: custom(isAsyncIterable, "a function that returns an async iterable of events"),
});

export class EventInbox {
  readonly #clock: Clock;
  #ids = new Set<string>();
  /** When the gathered events are handled; `undefined`: there are none. */
  #readyAt: number | undefined;
  /** Whether an event has named no meeting: then the list is read. */
  #isAnyMeeting = false;
  #arrived = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads events from now on. The returned function does not wait for the events to end: they may hang. */
  read(wake: WakeSource, signal: AbortSignal): () => void {
    const events = typeof wake === "function" ? wake(signal) : wake;
    checkArgument("syncMeetings", returnedEvents, { wake: events });
    return readEvents(events, (event) => {
      const id = isRecord(event) ? event.meetingId : undefined;
      const isKept = typeof id === "string" && idProblem("meetingId", id) === undefined && this.#ids.size < MAX_IDS;
      if (!isKept) this.#isAnyMeeting = true;
      this.add(isKept ? [id] : [], GATHER_MS);
    });
  }

  /** Adds ids that are handled in `inMs` milliseconds, or earlier. */
  add(ids: Iterable<string>, inMs = 0): void {
    for (const id of ids) this.#ids.add(id);
    this.#readyAt = Math.min(this.#readyAt ?? Number.POSITIVE_INFINITY, this.#clock.now() + inMs);
    this.#arrived();
  }

  /** How long until the gathered events are to be handled; `undefined`: there are none. */
  get readyInMs(): number | undefined {
    return this.#readyAt === undefined ? undefined : Math.max(0, this.#readyAt - this.#clock.now());
  }

  get isReady(): boolean {
    return this.readyInMs === 0;
  }

  /** Resolves at the next event. Only the latest call waits: polls without events keep nothing. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  /** Takes the named meetings. `isAnyMeeting`: an event named none, so the list is to be read. */
  take(): { ids: string[]; isAnyMeeting: boolean } {
    const taken = { ids: [...this.#ids], isAnyMeeting: this.#isAnyMeeting };
    this.#ids = new Set();
    this.#isAnyMeeting = false;
    this.#readyAt = undefined;
    return taken;
  }
}
