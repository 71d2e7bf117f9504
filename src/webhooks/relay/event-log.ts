/** The events that a relay has published, in order, so that a reader who was away can resume. */
import { checkOptions, type OptionChecks, positiveNumber, withDefaults } from "../check-options.js";
import type { WebhookEvent } from "../event/event.js";

/** An event in the log. */
export interface LogEntry {
  /** What a browser sends back as `Last-Event-ID`. One line of text. */
  id: string;
  /** The event, as it was published. */
  event: WebhookEvent;
  /** Who receives it; `undefined` for everybody who was let in. */
  audience: readonly string[] | undefined;
  /** The event as `append` received it in JSON. A log that keeps it saves its readers the work. */
  json?: string | undefined;
}

/**
 * An append-only list that drops its oldest entries, shared by all relays that serve the same readers. An id stays
 * valid as long as the log reaches back to it, and is never used twice, also not after a restart.
 */
export interface EventLog {
  /** Appends an event and returns the entry's id. `json` is the same event, serialised. */
  append(event: WebhookEvent, audience: readonly string[] | undefined, json?: string): string | Promise<string>;
  /** The id of the newest entry. For an empty log, an id that comes before every entry. */
  latestId(): string | Promise<string>;
  /**
   * The entries after `id`, in order, at most `limit`. `undefined` if they cannot be known: the log does not reach back
   * to `id`, or has never returned it.
   */
  after(id: string, limit: number): readonly LogEntry[] | undefined | Promise<readonly LogEntry[] | undefined>;
  /**
   * Calls `changed` after each append, by any process, as soon as the returned promise has resolved. Calls `broken`
   * when it can no longer do so. Resolves to a function that stops listening. Every connection listens: a log in a
   * shared store should have one listener of its own for all of them.
   */
  listen(changed: () => void, broken: (error: unknown) => void): (() => void) | Promise<() => void>;
}

/** Options of `memoryEventLog`. */
export interface MemoryEventLogOptions {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents?: number | undefined;
}

const MEMORY_EVENT_LOG_DEFAULTS = { maxEvents: 1_000 };

const MEMORY_EVENT_LOG_CHECKS: OptionChecks<MemoryEventLogOptions> = { maxEvents: positiveNumber };

/**
 * The default log: in the memory of one process. After a restart, readers have to resync.
 *
 * @throws {@link ConfigurationError} if an option is unknown or invalid.
 */
export function memoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  checkOptions("memoryEventLog", options, MEMORY_EVENT_LOG_CHECKS);
  const { maxEvents } = withDefaults(options, MEMORY_EVENT_LOG_DEFAULTS);
  const entries: LogEntry[] = [];
  const listeners = new Set<() => void>();
  /** How many events were appended: the newest has this number, the first had 1. */
  let count = 0;
  // Tells this log's ids from those of the process before it. Edge workers have no random numbers at module level.
  let epoch: string | undefined;

  function idOf(number: number): string {
    epoch ??= crypto.randomUUID().slice(0, 8);
    return `${epoch}-${number}`;
  }

  return {
    append(event, audience, json) {
      count += 1;
      const id = idOf(count);
      entries.push({ id, event, audience, json });
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
