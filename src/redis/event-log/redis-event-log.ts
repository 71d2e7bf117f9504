/** A log of published events that several processes share. */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../../webhooks/event/event.js";
import { eventJson } from "../../webhooks/event/event-stream-format.js";
import type { EventLog, LogEntry } from "../../webhooks/relay/event-log.js";
import { type RedisClient, recogniseClient } from "../connection.js";
import { DEFAULT_PREFIX, type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { LogStore, parsePosition, positionId } from "./log-store.js";
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

class RedisEventLog implements EventLog {
  readonly #store: LogStore;
  /**
   * How many events were not appended, and how many of them a later append has announced by a new log. Readers cannot
   * know that an event is missing, so they must resync.
   */
  #lostEvents = 0;
  #announcedEvents = 0;
  /** The tail of this process, while it has readers. */
  #tail: Promise<LogTail> | undefined;

  constructor(store: LogStore) {
    this.#store = store;
  }

  async append(event: WebhookEvent, audience: readonly string[] | undefined, json = eventJson(event)): Promise<string> {
    const lostBefore = this.#lostEvents;
    const { server } = this.#store;
    const position = await server.orOpen(this.#store.append(json, audience, lostBefore > this.#announcedEvents));
    if (position === undefined) {
      this.#lostEvents += 1;
      return NOT_APPENDED;
    }
    // An event that was lost during this append is announced by the next one.
    this.#announcedEvents = Math.max(this.#announcedEvents, lostBefore);
    return positionId(position);
  }

  async latestId(): Promise<string> {
    return positionId(await this.#store.latest());
  }

  async after(id: string, limit: number): Promise<readonly LogEntry[] | undefined> {
    const position = parsePosition(id);
    if (position === undefined) return undefined;
    const tail = await this.#tail?.catch(() => undefined);
    return tail?.after(position, limit) ?? this.#store.read(position, limit);
  }

  async listen(changed: () => void, broken: (error: unknown) => void): Promise<() => void> {
    // The tail may end with its last listener just before this one is added.
    for (;;) {
      const stop = (await this.#followedTail()).listen({ changed, broken });
      if (stop !== undefined) return stop;
    }
  }

  #followedTail(): Promise<LogTail> {
    if (this.#tail !== undefined) return this.#tail;
    const forget = () => {
      if (this.#tail === starting) this.#tail = undefined;
    };
    const starting: Promise<LogTail> = LogTail.start(this.#store, forget);
    starting.catch(forget);
    this.#tail = starting;
    return starting;
  }
}

/**
 * A log for `createRelay` that several processes share: all have the same events in the same order, and a reader can
 * resume at another process. If the log no longer has the reader's position, the reader has to resync.
 *
 * While Redis cannot be reached, `publish` rejects and new readers get 503. With `onError: "open"`, `publish` resolves
 * although readers may miss the event. Guide: docs/scaling.md#events-rediseventlog.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis,
 * or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const relay = createRelay({ authorize, log: redisEventLog(redis) });
 */
export function redisEventLog(redis: RedisClient, options: RedisEventLogOptions = {}): EventLog {
  const connection = recogniseClient("redisEventLog", redis);
  checkOptions("redisEventLog", redisEventLogOptionsSchema, options);
  const { prefix = DEFAULT_PREFIX, maxEvents = 1_000, keepMs = 86_400_000 } = options;
  const server = new RedisServer("redisEventLog", connection, options);
  return new RedisEventLog(new LogStore(server, { prefix, maxEvents, keepMs }));
}
