/** Recognises the package of the user's Redis client, and makes a connection through the client. */
import { ConfigurationError } from "../../errors/argument-errors.js";
import { kindOf } from "../../schemas/format-issues.js";
import type { RedisConnection } from "./connection.js";
import { type IoredisClient, ioredisConnection } from "./ioredis-connection.js";
import { type NodeRedisClient, nodeRedisConnection } from "./node-redis-connection.js";

/**
 * A client of the package `redis` (5 and later: client, pool, Cluster or Sentinel) or `ioredis` (5 and later: client or
 * Cluster), which you have connected. It is recognised by its methods, not by its class.
 */
export type RedisClient = NodeRedisClient | IoredisClient;

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");

// ioredis is checked first, because it has a `sendCommand`, too, with another meaning.
const isIoredis = (value: unknown): value is IoredisClient =>
  hasMethods(value, "call", "duplicate", "on") && "status" in (value as object);

// A client of version 4 has `disconnect` and no `destroy`, so its waiting connection could not be closed.
const isNodeRedis = (value: unknown): value is NodeRedisClient =>
  hasMethods(value, "sendCommand", "on") &&
  "isOpen" in (value as object) &&
  (hasMethods(value, "destroy") || !hasMethods(value, "disconnect"));

/** @throws {@link ConfigurationError} if `redis` is not such a client. */
export function recogniseClient(owner: string, redis: unknown): RedisConnection {
  if (isIoredis(redis)) return ioredisConnection(redis);
  if (isNodeRedis(redis)) return nodeRedisConnection(redis);
  throw new ConfigurationError(
    `${owner}: redis: expected a client of the package redis or ioredis, version 5 or later, received ${kindOf(redis)}`,
  );
}
