/**
 * `notetaker-sdk/redis`: rate limits, handled deliveries and published events that several processes share in Redis.
 * For the packages `redis` and `ioredis`, version 5 and later.
 * @module notetaker-sdk/redis
 */

export { ConfigurationError } from "../errors/argument-errors.js";
export { ConnectionError } from "../errors/call-errors.js";
export { NotetakerError } from "../errors/notetaker-error.js";
export type { LimitReport, Throttle, ThrottleRequest } from "../throttle/throttle.js";
export type { ThrottleLimits } from "../throttle/throttle-options.js";
export type { IoredisClient, NodeRedisClient, RedisClient } from "./connection.js";
export { type RedisDedupeOptions, redisDedupe } from "./dedupe/redis-dedupe.js";
export { type RedisEventLogOptions, redisEventLog } from "./event-log/redis-event-log.js";
export type { RedisOptions } from "./redis-options.js";
export { type RedisThrottleOptions, redisThrottle } from "./throttle/redis-throttle.js";
