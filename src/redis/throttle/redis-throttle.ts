import * as z from "zod/mini";
import { checkOptions } from "../../errors/check-arguments.js";
import type { Infer } from "../../schemas/primitives.js";
import type { Throttle } from "../../throttle/throttle.js";
import { throttleLimitsSchema, windowsOf } from "../../throttle/throttle-options.js";
import { type CallCounter, CallQueue } from "../../throttle/waiting-calls.js";
import type { RedisClient } from "../connection.js";
import { type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { redisCounter } from "./redis-counter.js";

const throttleOptions = {
  /** Limits that replace those of the service. They must be the same in every process. */
  limits: z.optional(throttleLimitsSchema),
};

export interface RedisThrottleOptions extends RedisOptions, Infer<typeof throttleOptions> {}

const redisThrottleOptionsSchema = z.strictObject({ ...redisOptionsShape, ...throttleOptions });

export function throttleByToken(counterOf: (token: string) => CallCounter): Throttle {
  /** By token. Nothing is kept of a token without calls. */
  const queues = new Map<string, { queue: CallQueue; users: number }>();

  async function withQueue(token: string, use: (queue: CallQueue) => void | Promise<void>): Promise<void> {
    const entry = queues.get(token) ?? { queue: new CallQueue(counterOf(token)), users: 0 };
    queues.set(token, entry);
    entry.users += 1;
    try {
      await use(entry.queue);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) queues.delete(token);
    }
  }

  return {
    acquire: (request) => withQueue(request.token, (queue) => queue.acquire(request)),
    pause: (report) => withQueue(report.token, (queue) => queue.pause(report)),
  };
}

/**
 * A throttle for all processes that share one Redis: the rate limits of each token apply to these processes together.
 * When the service reports that a limit is used up, the calls of all processes wait.
 *
 * While Redis cannot be reached, calls reject with a `ConnectionError` whose `outcome` is `not_sent`. With `onError:
 * "open"`, calls are sent without any limit. Guide: docs/many-customers.md#limits-redisthrottle.
 * @throws {ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const notetaker = new Notetaker({ throttle: redisThrottle(redis) });
 */
export function redisThrottle(redis: RedisClient, options: RedisThrottleOptions = {}): Throttle {
  checkOptions("redisThrottle", redisThrottleOptionsSchema, options);
  const server = new RedisServer("redisThrottle", redis, options);
  const windows = windowsOf(options.limits);
  return throttleByToken((token) => redisCounter(server, windows, token));
}
