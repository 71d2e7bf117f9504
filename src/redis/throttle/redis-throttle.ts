/** A throttle whose rate limits apply to all processes that share one Redis. */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { optionsSchema } from "../../schemas/primitives.js";
import { CallQueue, type SlotSource } from "../../transport/throttle/call-queue.js";
import type { LimitReport, Throttle, ThrottleRequest } from "../../transport/throttle/throttle.js";
import { type ThrottleLimits, throttleLimitsSchema, windowsOf } from "../../transport/throttle/throttle-options.js";
import type { RedisClient } from "../connection.js";
import { type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { ARRIVAL_MARGIN_MS, RedisSlots } from "./redis-slots.js";

/** Options of `redisThrottle`. */
export interface RedisThrottleOptions extends RedisOptions {
  /** Limits that replace those of the service. They must be the same in every process. */
  limits?: ThrottleLimits | undefined;
}

const redisThrottleOptionsSchema = optionsSchema<RedisThrottleOptions>()({
  ...redisOptionsShape,
  limits: z.optional(throttleLimitsSchema),
});

export class RedisThrottle implements Throttle {
  readonly #slotsOf: (token: string) => SlotSource;
  /** The calls of this process, by token, and how many there are. Nothing is kept of a token without calls. */
  readonly #queues = new Map<string, { queue: CallQueue; users: number }>();

  constructor(slotsOf: (token: string) => SlotSource) {
    this.#slotsOf = slotsOf;
  }

  acquire(request: ThrottleRequest): Promise<void> {
    return this.#withQueue(request.token, (queue) => queue.acquire(request));
  }

  hold(report: LimitReport): Promise<void> {
    return this.#withQueue(report.token, (queue) => queue.hold(report));
  }

  async #withQueue(token: string, use: (queue: CallQueue) => void | Promise<void>): Promise<void> {
    const entry = this.#queues.get(token) ?? { queue: new CallQueue(this.#slotsOf(token)), users: 0 };
    this.#queues.set(token, entry);
    entry.users += 1;
    try {
      await use(entry.queue);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#queues.delete(token);
    }
  }
}

/**
 * A throttle for all processes that share one Redis: the rate limits of each token apply to these processes together.
 * When the service reports that a limit is used up, the calls of all processes wait.
 *
 * While Redis cannot be reached, calls reject with a `ConnectionError` whose `outcome` is `not_sent`. With `onError:
 * "open"`, calls are sent without any limit. Guide: docs/scaling.md#limits-redisthrottle.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis,
 * or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const notetaker = new Notetaker({ throttle: redisThrottle(redis) });
 */
export function redisThrottle(redis: RedisClient, options: RedisThrottleOptions = {}): Throttle {
  checkOptions("redisThrottle", redisThrottleOptionsSchema, options);
  const server = new RedisServer("redisThrottle", redis, options);
  const windows = windowsOf(options.limits, ARRIVAL_MARGIN_MS);
  return new RedisThrottle((token) => new RedisSlots(server, windows, token));
}
