/** The events that a relay has passed on, in order, so that a reader who was away can go on where it was. */
import { checkNumbers, rejectUnknownOptions } from "../check-options.js";
import type { WebhookEvent } from "../event/event.js";

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
   * The entries that come after `id`, in order, at most `limit`. `undefined` when that cannot be known: the log does
   * not reach back to `id`, or has never given it.
   */
  after(id: string, limit: number): readonly LogEntry[] | undefined | Promise<readonly LogEntry[] | undefined>;
  /**
   * Calls `changed` after each append, by any process, once what it returns has resolved; `broken`, when it cannot do
   * so any longer. What it resolves to ends it. Every connection listens: a log in a shared store does well to listen
   * to that once for all of them.
   */
  listen(changed: () => void, broken: (error: unknown) => void): (() => void) | Promise<() => void>;
}

export interface MemoryEventLogOptions {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents?: number | undefined;
}

/** The default log: in the memory of one process. After a restart, readers are told to resync. */
export function memoryEventLog({ maxEvents = 1_000, ...others }: MemoryEventLogOptions = {}): EventLog {
  rejectUnknownOptions("memoryEventLog", others);
  checkNumbers("memoryEventLog", { maxEvents });
  /** Nobody gets the first: it stands for where the log begins. */
  const entries: LogEntry[] = [];
  const listeners = new Set<() => void>();
  let count = 0;
  // Tells this log's ids from those of the process before it. Edge workers give no random numbers at module level.
  let epoch: string | undefined;

  function add(event: WebhookEvent, audience: readonly string[] | undefined): string {
    epoch ??= crypto.randomUUID().slice(0, 8);
    const id = `${epoch}-${count++}`;
    entries.push({ id, event, audience });
    return id;
  }

  /** The newest id; the first time, that of an entry that nobody gets. */
  const latestId = () => entries.at(-1)?.id ?? add(undefined as never, []);

  return {
    append(event, audience) {
      const id = add(event, audience);
      if (entries.length > maxEvents + 1) entries.shift();
      for (const changed of listeners) changed();
      return id;
    },
    latestId,
    after(id, limit) {
      // From the end, where most readers are.
      const next = entries.findLastIndex((entry) => entry.id === id) + 1;
      return next > 0 ? entries.slice(next, next + limit) : undefined;
    },
    listen(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}
