/** The events that a relay has passed on, in order, so that a reader who was away can go on where it was. */
import { checkedNumber } from "./checked-number.js";
import type { WebhookEvent } from "./event.js";

/** An event in the log. */
export interface LogEntry {
  /** What a browser sends back as `Last-Event-ID`. One line of text. */
  id: string;
  event: WebhookEvent;
  /** Who hears it; `undefined` for everybody who was let in. */
  audience: readonly string[] | undefined;
}

/**
 * An append-only list with an end that moves: shared by all relays that serve the same readers. An id stays valid for
 * as long as the log reaches back to it, and is never used twice, also not after a restart.
 */
export interface EventLog {
  /** Appends, and gives the entry's id. */
  append(event: WebhookEvent, audience: readonly string[] | undefined): string | Promise<string>;
  /** The id of the newest entry; of an empty log, an id that comes before every entry. */
  latestId(): string | Promise<string>;
  /**
   * The entries that come after `id`, in order, at most `limit`. `undefined` when that cannot be known: the log does not reach
   * back to `id`, or has never given it.
   */
  after(id: string, limit: number): readonly LogEntry[] | undefined | Promise<readonly LogEntry[] | undefined>;
  /**
   * Calls `changed` after each append, by any process, once what it returns has resolved. Calls `broken` when it
   * cannot do so any longer. What it resolves to ends it.
   */
  listen(changed: () => void, broken: (error: unknown) => void): (() => void) | Promise<() => void>;
}

export interface MemoryEventLogOptions {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents?: number | undefined;
}

/** The default log: in the memory of one process. After a restart, readers are told to resync. */
export function memoryEventLog({ maxEvents = 1_000 }: MemoryEventLogOptions = {}): EventLog {
  checkedNumber("memoryEventLog maxEvents", maxEvents);
  const entries: LogEntry[] = [];
  const listeners = new Set<() => void>();
  /** Of the newest entry; the oldest kept has `count - entries.length + 1`. */
  let count = 0;
  // Tells this log's ids from those of the process before it. Edge workers give no random numbers at module level.
  let epoch: string | undefined;
  const idOf = (number: number) => {
    epoch ??= crypto.randomUUID().slice(0, 8);
    return `${epoch}-${number}`;
  };
  const numberOf = (id: string) => {
    const number = Number(id.slice(id.lastIndexOf("-") + 1));
    return id === idOf(number) ? number : undefined;
  };

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
      const number = numberOf(id);
      const dropped = count - entries.length;
      if (number === undefined || number < dropped || number > count) return undefined;
      return entries.slice(number - dropped, number - dropped + limit);
    },
    listen(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}
