import * as z from "zod/mini";
import { isAsyncIterable } from "../async/symbols.js";
import { checkArgument } from "../errors/check-arguments.js";
import { isRecord } from "../json/is-record.js";
import { idProblem } from "../schemas/ids.js";
import { custom } from "../schemas/primitives.js";
import { readEvents } from "../waiting/wake.js";
import type { SyncOptions } from "./sync-options.js";

/** More ids of events than this are not kept one by one: the next poll finds most of their meetings. */
const MAX_IDS = 10_000;

/** What a function in JavaScript returns may be a promise, which has no events. */
const returnedEvents = z.looseObject({
  wake: custom(isAsyncIterable, "a function that returns an async iterable of events"),
});

/** What events or the caller have named, until it is read. */
export class Inbox {
  readonly ids: Set<string>;
  /** Whether an event has named no meeting: then the list is read. */
  isAnyMeeting = false;
  #arrived = () => {};

  constructor(ids: readonly string[] = []) {
    this.ids = new Set(ids);
  }

  /** Reads events from now on. The returned function does not wait for the events to end: they may hang. */
  read(wake: NonNullable<SyncOptions["wake"]>, signal: AbortSignal): () => void {
    const events = typeof wake === "function" ? wake(signal) : wake;
    checkArgument("syncMeetings", returnedEvents, { wake: events });
    return readEvents(events, (event) => {
      const id = isRecord(event) ? event.meetingId : undefined;
      const isKept = typeof id === "string" && idProblem("meetingId", id) === undefined && this.ids.size < MAX_IDS;
      if (isKept) this.ids.add(id);
      else this.isAnyMeeting = true;
      this.#arrived();
    });
  }

  /** Resolves at the next event. Only the latest call waits: polls without events keep nothing. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }
}
