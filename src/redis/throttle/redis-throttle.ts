/** A throttle whose rate limits apply to all processes that share one Redis. */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { optionsSchema } from "../../schemas/primitives.js";
import {
  type LimitName,
  type LimitReport,
  limitsOf,
  reportedLimit,
  type Throttle,
  type ThrottleRequest,
} from "../../transport/throttle/throttle.js";
import { type ThrottleLimits, throttleLimitsSchema, windowsOf } from "../../transport/throttle/throttle-options.js";
import { type RedisClient, recogniseClient } from "../connection/recognise-client.js";
import { Outage } from "../outage.js";
import { REDIS_DEFAULTS, type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { sha256 } from "../sha256.js";
import { LimitLine } from "./limit-line.js";

/** Options of `redisThrottle`. */
export interface RedisThrottleOptions extends RedisOptions {
  /** Limits that replace those of the service. They must be the same in every process. */
  limits?: ThrottleLimits | undefined;
}

const redisThrottleOptionsSchema = optionsSchema<RedisThrottleOptions>()({
  ...redisOptionsShape,
  limits: z.optional(throttleLimitsSchema),
});

class RedisThrottle implements Throttle {
  readonly #options: RedisThrottleOptions;
  readonly #server: RedisServer;
  readonly #prefix: string;
  readonly #windows: ReturnType<typeof windowsOf>;
  readonly #outage: Outage;
  /** The queues of this process's waiting calls, by the key of their limit. */
  readonly #lines = new Map<string, LimitLine>();
  // Edge workers have no random numbers at module level.
  #process: string | undefined;

  constructor(server: RedisServer, options: RedisThrottleOptions) {
    this.#options = options;
    this.#server = server;
    this.#prefix = options.prefix ?? REDIS_DEFAULTS.prefix;
    this.#windows = windowsOf(options.limits);
    this.#outage = new Outage(options.onUnavailable);
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const account = await sha256(request.token);
    const held: { line: LimitLine; id: string }[] = [];
    try {
      for (const name of limitsOf(request.operation)) {
        const line = this.#lineOf(account, name);
        held.push({ line, id: await line.take(request) });
      }
      // The last limit has counted the call at the current time. The earlier limits have only reserved a place for it.
      for (const { line, id } of held.slice(0, -1)) await line.confirm(id);
    } catch (error) {
      for (const { line, id } of held) line.giveUp(id);
      throw error;
    }
  }

  async hold(report: LimitReport): Promise<void> {
    const name = reportedLimit(report, this.#windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    try {
      await this.#lineOf(await sha256(report.token), name).hold(report.holdMs);
    } catch (error) {
      // The report comes from a response. The call that received the response must not fail because of Redis.
      this.#outage.failed(error);
    }
  }

  #lineOf(account: string, name: LimitName): LimitLine {
    const keyBase = `${this.#prefix}throttle:{${account}}:${name}`;
    const existing = this.#lines.get(keyBase);
    if (existing !== undefined) return existing;
    this.#process ??= crypto.randomUUID();
    const line: LimitLine = new LimitLine({
      server: this.#server,
      process: this.#process,
      keyBase,
      windows: this.#windows[name],
      holdsPlaceForOtherLimit: name === "createWebhook",
      mayGoWithoutRedis: (error) => this.#mayGoWithoutRedis(error),
      onReached: () => this.#outage.reached(),
      onIdle: () => this.#lines.delete(keyBase),
    });
    this.#lines.set(keyBase, line);
    return line;
  }

  #mayGoWithoutRedis(error: unknown): boolean {
    if (this.#options.onError !== "open") return false;
    this.#outage.failed(error);
    return true;
  }
}

/**
 * A throttle for all processes that share one Redis. The rate limits of each token apply to these processes together:
 * exact sliding windows by the clock of Redis, first come, first served. When the service reports that a limit is used
 * up (a 429, or no remaining requests), the calls of all processes wait.
 *
 * Each call needs one round trip. While calls wait, there is one round trip per process, token and limit every 1.3
 * seconds. If a process is killed while its calls wait, these calls lose their places within 4 seconds.
 *
 * Keys: `notetaker:throttle:{SHA-256 of the token}:…`, each with a time to live. The token itself is not sent to Redis.
 *
 * While Redis cannot be reached, calls reject with a `ConnectionError` whose `outcome` is `not_sent`, within 5 seconds.
 * With `onError: "open"`, calls are sent without any limit.
 *
 * @throws {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is
 * invalid.
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const notetaker = new Notetaker({ throttle: redisThrottle(redis) });
 */
export function redisThrottle(redis: RedisClient, options: RedisThrottleOptions = {}): Throttle {
  const connection = recogniseClient("redisThrottle", redis);
  checkOptions("redisThrottle", redisThrottleOptionsSchema, options);
  return new RedisThrottle(new RedisServer("redisThrottle", connection, options.onError), options);
}
