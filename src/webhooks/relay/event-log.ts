import * as z from "zod/mini";
import { checkOptions } from "../../errors/check-arguments.js";
import { type Infer, positiveInteger } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";

/** An event in the log. */
export interface LogEntry {
  /** The id that a browser sends back as `Last-Event-ID`. Printable ASCII. */
  id: string;
  /** The event, as it was published. */
  event: WebhookEvent;
  /** The audiences that receive it; `undefined` for every authorized connection. */
  audience: readonly string[] | undefined;
}

/**
 * The events that relays have published, in order; a reader that lost its connection resumes from it. The oldest are
 * dropped. An id stays valid as long as the log has every later entry. No id is used twice, even after a restart.
 */
export interface EventLog {
  /** Appends an event and returns the entry's id: printable ASCII, at most 8,000 characters. */
  append(event: WebhookEvent, audience: readonly string[] | undefined): string | Promise<string>;
  /** The id of the newest entry. For an empty log, an id before the first entry. */
  latestId(): string | Promise<string>;
  /** At most `limit` entries after `id`, at least one if any; `undefined` if some were dropped, or `id` is unknown. */
  after(id: string, limit: number): readonly LogEntry[] | undefined | Promise<readonly LogEntry[] | undefined>;
  /**
   * Once the promise has resolved, calls `changed` after each append by any process, and `broken` if it can no longer do
   * so. Resolves to a function that stops listening. The relay calls `listen` for every connection: a log in a shared
   * store should use one listener at the store for all of them.
   */
  listen(changed: () => void, broken: (error: unknown) => void): (() => void) | Promise<() => void>;
}

const memoryEventLogOptions = {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents: z.optional(positiveInteger),
};

export interface MemoryEventLogOptions extends Infer<typeof memoryEventLogOptions> {}

const memoryEventLogOptionsSchema = z.strictObject(memoryEventLogOptions);

/**
 * The default log, in the memory of one process. After a restart, readers have to resync.
 * @throws {ConfigurationError} if an option is unknown or invalid.
 */
export function memoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  checkOptions("memoryEventLog", memoryEventLogOptionsSchema, options);
  const { maxEvents = 1_000 } = options;
  const entries: LogEntry[] = [];
  const listeners = new Set<() => void>();
  /** The number of the newest event; the first has number 1. */
  let count = 0;
  // Unlike that of an earlier process. Made at first use: edge workers have no random numbers at module level.
  let epoch: string | undefined;

  function idOf(number: number): string {
    epoch ??= crypto.randomUUID().slice(0, 8);
    return `${epoch}-${number}`;
  }

  return {
    append(event, audience) {
      count += 1;
      const id = idOf(count);
      entries.push({ id, event, audience });
      if (entries.length > maxEvents) entries.shift();
      for (const changed of listeners) changed();
      return id;
    },
    latestId: () => idOf(count),
    after(id, limit) {
      const number = Number(id.slice(id.lastIndexOf("-") + 1));
      const dropped = count - entries.length;
      if (id !== idOf(number) || number < dropped || number > count) return undefined;
      return entries.slice(number - dropped, number - dropped + limit);
    },
    listen(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}
