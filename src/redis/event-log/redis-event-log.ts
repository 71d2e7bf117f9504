/** A log of published events that several processes share. */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import { eventJson } from "../../webhooks/event/event-stream-format.js";
import type { EventLog, LogEntry } from "../../webhooks/relay/event-log.js";
import { type RedisClient, recogniseClient } from "../connection/recognise-client.js";
import { Outage } from "../outage.js";
import { REDIS_DEFAULTS, type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { parsePosition, positionId } from "./log-position.js";
import { LogStore } from "./log-store.js";
import { LogTail } from "./log-tail.js";

/** Options of `redisEventLog`. */
export interface RedisEventLogOptions extends RedisOptions {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents?: number | undefined;
  /**
   * How long the log is kept after the last event was published or read, in milliseconds. Default 24 hours.
   */
  keepMs?: number | undefined;
}

const redisEventLogOptionsSchema = optionsSchema<RedisEventLogOptions>()({
  ...redisOptionsShape,
  maxEvents: z.optional(positiveInteger),
  keepMs: z.optional(positiveInteger),
});

/**
 * The id that `publish` resolves to if Redis could not be reached and `onError` is `"open"`. No reader can resume from
 * it.
 */
const NOT_APPENDED = "not-appended";

/**
 * A log for `createRelay` that several processes share. All processes have the same events in the same order, and a
 * reader can resume at another process. If the log no longer reaches back to the reader's position, or was flushed, the
 * reader has to resync.
 *
 * While a process has readers, it opens one more connection for all of them. With a Cluster, Sentinel or a pool it
 * opens none, and reads the log five times a second. Your client is never blocked.
 *
 * Keys: `notetaker:{events}:head` and `notetaker:{events}:stream`, with a time to live. The stream contains the events
 * as they were published, and the names of their audiences. Relays that must not share events need different values of
 * `prefix`.
 *
 * While Redis cannot be reached, `publish` rejects and new readers get 503. With `onError: "open"`, `publish` resolves
 * although readers will not receive the event; the next event that is appended tells all readers to resync.
 *
 * @throws {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is
 * invalid.
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const relay = createRelay({ authorize, log: redisEventLog(redis) });
 */
export function redisEventLog(redis: RedisClient, options: RedisEventLogOptions = {}): EventLog {
  const connection = recogniseClient("redisEventLog", redis);
  checkOptions("redisEventLog", redisEventLogOptionsSchema, options);
  const { prefix = REDIS_DEFAULTS.prefix, onError = REDIS_DEFAULTS.onError, onUnavailable } = options;
  const { maxEvents = 1_000, keepMs = 86_400_000 } = options;
  const store = new LogStore(new RedisServer("redisEventLog", connection, onError), { prefix, maxEvents, keepMs });
  const outage = new Outage(onUnavailable);
  /**
   * How many events were not appended, and how many of them a later append has announced by a new log. Readers cannot
   * know that an event is missing, so they must resync.
   */
  let lostEvents = 0;
  let announcedEvents = 0;
  /** The tail of this process, while it has readers. */
  let tail: Promise<LogTail> | undefined;

  function followedTail(): Promise<LogTail> {
    if (tail !== undefined) return tail;
    const forget = () => {
      if (tail === starting) tail = undefined;
    };
    const starting: Promise<LogTail> = LogTail.start(store, forget);
    starting.catch(forget);
    tail = starting;
    return starting;
  }

  async function entriesAfter(id: string, limit: number): Promise<readonly LogEntry[] | undefined> {
    const position = parsePosition(id);
    if (position === undefined) return undefined;
    const running = await tail?.catch(() => undefined);
    const known = running?.after(position, limit);
    return known ?? (await store.read(position, limit)).entries;
  }

  return {
    async append(event, audience, json = eventJson(event)) {
      try {
        const lostBefore = lostEvents;
        const position = await store.append(json, audience, lostBefore > announcedEvents);
        // An event that was lost during this append is announced by the next one.
        announcedEvents = Math.max(announcedEvents, lostBefore);
        outage.reached();
        return positionId(position);
      } catch (error) {
        if (onError === "closed") throw error;
        lostEvents += 1;
        outage.failed(error);
        return NOT_APPENDED;
      }
    },
    latestId: async () => positionId(await store.latest()),
    after: entriesAfter,
    async listen(changed, broken) {
      // The tail may end with its last listener just before this one is added.
      for (;;) {
        const stop = (await followedTail()).listen({ changed, broken });
        if (stop !== undefined) return stop;
      }
    },
  };
}
