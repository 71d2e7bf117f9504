import * as z from "zod/mini";
import { DAY_MS, pause } from "../../async/timers.js";
import { checkOptions } from "../../errors/check-arguments.js";
import { type Infer, positiveInteger } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../../webhooks/event/event.js";
import type { EventLog, LogEntry } from "../../webhooks/relay/event-log.js";
import { eventJson } from "../../webhooks/relay/event-stream-format.js";
import type { RedisClient } from "../connection.js";
import { type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { APPEND, entryOf, ID, LATEST, newMark, READ } from "./log-scripts.js";

const logOptions = {
  /** How many events are kept; the oldest are dropped first. Default 1,000. */
  maxEvents: z.optional(positiveInteger),
  /** How long the log is kept after its last use, in milliseconds. Default 24 hours. */
  keepMs: z.optional(positiveInteger),
};

export interface RedisEventLogOptions extends RedisOptions, Infer<typeof logOptions> {}

const redisEventLogOptionsSchema = z.strictObject({ ...redisOptionsShape, ...logOptions });

/** The id that `publish` resolves to if Redis could not be reached and `onError` is `"open"`. */
const NOT_APPENDED = "not-appended";

/** How often a process with readers looks for events that other processes have published, in milliseconds. */
const LOG_POLL_MS = 200;

/** A read ends with the event that reaches this length, in bytes: each reader may hold one in memory. */
const READ_BYTES = "65536";

interface LogListener {
  changed: () => void;
  broken: (error: unknown) => void;
}

class RedisEventLog implements EventLog {
  readonly #server: RedisServer;
  readonly #key: string;
  readonly #maxEntries: string;
  readonly #keepMs: string;
  /** Stands for the last event that was lost and that no append has announced yet. */
  #loss: symbol | undefined;
  readonly #listeners = new Set<LogListener>();
  #isPolling = false;
  /** The reads that run since the last change. Readers at the same position share one. */
  #reads = new Map<string, Promise<readonly LogEntry[] | undefined>>();

  constructor(server: RedisServer, { maxEvents = 1_000, keepMs = DAY_MS }: RedisEventLogOptions) {
    this.#server = server;
    this.#key = `${server.prefix}{events}:log`;
    // One entry more than events, for the position before the oldest event.
    this.#maxEntries = String(maxEvents + 1);
    this.#keepMs = String(keepMs);
  }

  async append(event: WebhookEvent, audience: readonly string[] | undefined): Promise<string> {
    // Readers cannot know that an event is missing. So after a loss, the log begins anew, and they have to resync.
    const loss = this.#loss;
    const id = await this.#server.orOpen(this.#append(eventJson(event), audience, loss !== undefined));
    if (id === undefined) {
      this.#loss = Symbol("lost event");
      return NOT_APPENDED;
    }
    // An event that was lost during this append is announced by the next one.
    if (this.#loss === loss) this.#loss = undefined;
    this.#tellListeners();
    return id;
  }

  async #append(json: string, audience: readonly string[] | undefined, beginsAnew: boolean): Promise<string> {
    const mark = newMark();
    const audienceJson = audience === undefined ? "" : JSON.stringify(audience);
    const args = [this.#keepMs, newMark(), beginsAnew ? "1" : "0", this.#maxEntries, mark, json, audienceJson];
    const keys = [this.#key, `${this.#key}:${mark}`] as const;
    const id = `${await this.#server.run(APPEND, keys, args, { isUncertain: true })}-${mark}`;
    if (!ID.test(id)) throw this.#server.unexpectedReply("unknown");
    return id;
  }

  async latestId(): Promise<string> {
    const reply = await this.#server.run(LATEST, [this.#key], [this.#keepMs, newMark()]);
    if (!Array.isArray(reply)) throw this.#server.unexpectedReply();
    return reply.join("-");
  }

  after(id: string, limit: number): Promise<readonly LogEntry[] | undefined> {
    const key = `${limit} ${id}`;
    // A read that ends after a change must not remove a newer read.
    const reads = this.#reads;
    const read = reads.get(key) ?? this.#read(id, limit).finally(() => reads.delete(key));
    reads.set(key, read);
    return read;
  }

  async #read(id: string, limit: number): Promise<readonly LogEntry[] | undefined> {
    const [, entryId, mark] = ID.exec(id) ?? [];
    if (entryId === undefined || mark === undefined) return undefined;
    const reply = await this.#server.run(READ, [this.#key], [this.#keepMs, entryId, mark, String(limit), READ_BYTES]);
    return Array.isArray(reply) ? reply.map(entryOf) : undefined;
  }

  listen(changed: () => void, broken: (error: unknown) => void): () => void {
    const listener = { changed, broken };
    this.#listeners.add(listener);
    if (!this.#isPolling) void this.#poll();
    return () => void this.#listeners.delete(listener);
  }

  #tellListeners(): void {
    // A read that began before the change may not contain it.
    this.#reads = new Map();
    for (const { changed } of [...this.#listeners]) changed();
  }

  /** Looks for new events while there are listeners. Also notices that the log was lost: its newest id differs then. */
  async #poll(): Promise<void> {
    this.#isPolling = true;
    let newest: string | undefined;
    try {
      while (this.#listeners.size > 0) {
        const id = await this.latestId();
        if (id !== newest) this.#tellListeners();
        newest = id;
        await pause(LOG_POLL_MS);
      }
      this.#isPolling = false;
    } catch (error) {
      this.#isPolling = false;
      const listeners = [...this.#listeners];
      this.#listeners.clear();
      for (const { broken } of listeners) broken(error);
    }
  }
}

/**
 * A log for `createRelay` that several processes share: all have the same events in the same order, and a reader can
 * resume at another process. If the log no longer has the reader's position, the reader has to resync.
 *
 * While Redis cannot be reached, `publish` rejects and new readers get 503. With `onError: "open"`, `publish` resolves
 * although readers may miss the event. Guide: docs/many-customers.md#events-rediseventlog.
 * @throws {ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const relay = createRelay({ authorize, log: redisEventLog(redis) });
 */
export function redisEventLog(redis: RedisClient, options: RedisEventLogOptions = {}): EventLog {
  checkOptions("redisEventLog", redisEventLogOptionsSchema, options);
  return new RedisEventLog(new RedisServer("redisEventLog", redis, options), options);
}
