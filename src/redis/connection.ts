import { hasMethod } from "../async/byte-reader.js";
import { kindOf } from "../checks/format-issues.js";
import { ConfigurationError } from "../errors/argument-errors.js";

export interface RedisConnection {
  /** A client that is not connected would queue a command, and send it much later. */
  isReady(): boolean;
  /** Sends one command to the server that stores `key`. Rejects with the client's error. */
  send(key: string, args: readonly string[]): Promise<unknown>;
}

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => hasMethod(value, name));

/** The used part of a client of ioredis. */
export interface IoredisClient {
  /** The state of the connection. */
  readonly status: string;
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** The used part of a client of the package redis. Client, pool, Cluster and Sentinel differ in `sendCommand`. */
export interface NodeRedisClient {
  /** Whether the client is connected or connecting. */
  readonly isOpen: boolean;
  /** Whether commands can be sent. */
  readonly isReady?: boolean;
  /** Sends a command. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** Only the primary server is used, because a replica may be out of date. */
function sender(client: NodeRedisClient): RedisConnection["send"] {
  const send = client.sendCommand.bind(client) as (...args: unknown[]) => Promise<unknown>;
  if (hasMethods(client, "nodeClient")) return (key, args) => send(key, false, args);
  if (hasMethods(client, "getMasterNode")) return (_key, args) => send(false, args);
  return (_key, args) => send(args);
}

/** A connected client, pool, Cluster or Sentinel of `redis` or `ioredis`, version 5 and later. */
export type RedisClient = NodeRedisClient | IoredisClient;

// ioredis is checked first, because it also has a `sendCommand`, with another meaning.
const isIoredis = (value: unknown): value is IoredisClient =>
  hasMethods(value, "call", "on") && "status" in (value as object);

// A client of version 4 has `disconnect` and no `destroy`.
const isNodeRedis = (value: unknown): value is NodeRedisClient =>
  hasMethods(value, "sendCommand", "on") &&
  "isOpen" in (value as object) &&
  (hasMethods(value, "destroy") || !hasMethods(value, "disconnect"));

export function recogniseClient(caller: string, redis: unknown): RedisConnection {
  if (isIoredis(redis)) {
    return {
      // A client with `lazyConnect` has the status "wait", and connects at its first command.
      isReady: () => redis.status === "ready" || redis.status === "wait",
      // A Cluster finds the server by the keys in the command.
      send: (_key, [command = "", ...args]) => redis.call(command, ...args),
    };
  }
  // A Cluster of version 5 and a pool have no `isReady`.
  if (isNodeRedis(redis)) return { isReady: () => redis.isReady ?? redis.isOpen, send: sender(redis) };
  throw new ConfigurationError({
    message: `${caller}: redis: expected a client of the package redis or ioredis, version 5 or later, received ${kindOf(redis)}`,
  });
}
