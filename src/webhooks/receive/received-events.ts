import * as z from "zod/mini";
import { onAbort, throwIfAborted } from "../../async/abort.js";
import { checkOptions } from "../../errors/check-arguments.js";
import { type Infer, objectWith, type Schema } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";
import { memoryDedupe } from "./dedupe.js";

const receivedEventsOptions = {
  /** Ends the iteration at once: the next step rejects with the signal's reason. */
  signal: z.optional(objectWith("addEventListener", "removeEventListener") as Schema<AbortSignal>),
};

export interface ReceivedEventsOptions extends Infer<typeof receivedEventsOptions> {}

const receivedEventsOptionsSchema = z.strictObject(receivedEventsOptions);

/** The events of a receiver, for one consumer. */
export interface ReceivedEvents extends AsyncIterator<WebhookEvent, void, undefined> {
  /** Ends the iteration; `break` does the same. */
  return(): Promise<IteratorResult<WebhookEvent, void>>;
  /** The iterator itself. */
  [Symbol.asyncIterator](): ReceivedEvents;
}

/** How many events wait for a slow reader; the oldest are dropped first. */
const MAX_WAITING = 1_000;

export class EventReaders {
  readonly #readers = new Set<(event: WebhookEvent, deliveryKey: string) => void>();

  pass(event: WebhookEvent, deliveryKey: string): boolean {
    for (const read of this.#readers) read(event, deliveryKey);
    return this.#readers.size > 0;
  }

  /** The reader gets events from now on, not from its first step on. */
  open(options: ReceivedEventsOptions = {}): ReceivedEvents {
    checkOptions("receiver.events", receivedEventsOptionsSchema, options);
    const { signal } = options;
    const waiting: WebhookEvent[] = [];
    const deliveries = memoryDedupe();
    let isEnded = false;
    let wake = () => {};
    const read = (event: WebhookEvent, deliveryKey: string) => {
      if (deliveries.claim(deliveryKey, "") !== "claimed") return;
      deliveries.complete(deliveryKey, "");
      if (waiting.push(event) > MAX_WAITING) waiting.shift();
      wake();
    };
    this.#readers.add(read);
    const end = () => {
      isEnded = true;
      this.#readers.delete(read);
      wake();
    };
    const stopListening = onAbort(signal, end);

    const events = (async function* (): AsyncGenerator<WebhookEvent, void> {
      for (;;) {
        throwIfAborted(signal);
        if (isEnded) return;
        const event = waiting.shift();
        if (event !== undefined) yield event;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    })();
    return {
      next: () => events.next(),
      return() {
        stopListening();
        end();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
