/** How this entry point uses a client of either package, `redis` or `ioredis`. */
import { ConfigurationError } from "../errors/argument-errors.js";
import { kindOf } from "../schemas/format-issues.js";

/** A separate connection for blocking commands. While one waits, the user's client is not blocked. */
export interface BlockingConnection {
  send(args: readonly string[]): Promise<unknown>;
  /** Closes the connection at once, even during a command. */
  close(): void;
}

/** The user's client, in the same form for both packages. */
export interface RedisConnection {
  /**
   * Whether a command would be sent now. A client that is not connected would queue the command, and send it much
   * later.
   */
  isReady(): boolean;
  /** Sends one command to the server that stores `key`. Rejects with the client's error. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  /**
   * Opens a separate connection to the same server. `undefined` for a Cluster, Sentinel or a pool, where the client
   * selects the server or connection for each command.
   */
  openBlocking: (() => Promise<BlockingConnection>) | undefined;
}

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === "object" &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");

/** The used part of a client of ioredis. */
export interface IoredisClient {
  /** The state of the connection. */
  readonly status: string;
  /** `true` for a Cluster. */
  readonly isCluster?: boolean;
  /** Sends a command. */
  call(command: string, ...args: string[]): Promise<unknown>;
  /** Another client with the same options. */
  duplicate(...options: never[]): unknown;
}

/** The methods of a duplicated client, in addition to those of {@link IoredisClient}. */
interface OwnIoredis extends IoredisClient {
  on(event: "error" | "ready" | "end", listener: () => void): unknown;
  connect(): Promise<void>;
  disconnect(): void;
}

const sendTo = (client: IoredisClient, [command = "", ...args]: readonly string[]): Promise<unknown> =>
  client.call(command, ...args);

async function openIoredis(client: IoredisClient): Promise<BlockingConnection> {
  const duplicate = client.duplicate as (options: object) => OwnIoredis;
  // ioredis must not reconnect by itself, because readers must learn that the connection was lost. Blocking commands
  // take longer than others, so the user's limits of time do not apply to them.
  const noLimits = { commandTimeout: undefined, socketTimeout: undefined };
  const own = duplicate.call(client, { retryStrategy: null, maxRetriesPerRequest: 0, ...noLimits });
  // Without a listener, ioredis prints the error. The pending command rejects with it anyway.
  own.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    own.on("ready", resolve);
    own.on("end", () => reject(new Error("the connection could not be opened")));
    // With `lazyConnect`, the client connects only when `connect` is called.
    if (own.status === "wait") void own.connect().catch(() => {});
  });
  return { send: (args) => sendTo(own, args), close: () => own.disconnect() };
}

const ioredisConnection = (client: IoredisClient): RedisConnection => ({
  // A client with `lazyConnect` has the status "wait", and connects at its first command.
  isReady: () => client.status === "ready" || client.status === "wait",
  // A Cluster finds the server by the keys in the command.
  send: (_key, args) => sendTo(client, args),
  openBlocking: client.isCluster === true ? undefined : () => openIoredis(client),
});

/** The used part of a client of the package redis. Client, pool, Cluster and Sentinel differ in `sendCommand`. */
export interface NodeRedisClient {
  /** Whether the client is connected or connecting. */
  readonly isOpen: boolean;
  /** Whether commands can be sent. */
  readonly isReady?: boolean;
  /** Sends a command. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** The used methods of a duplicated client. */
interface OwnNodeRedis {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: string, listener: () => void): unknown;
  sendCommand(args: readonly string[]): Promise<unknown>;
}

type SendToClient = (args: readonly string[]) => Promise<unknown>;
type SendToCluster = (firstKey: string, isReadonly: boolean, args: readonly string[]) => Promise<unknown>;
type SendToSentinel = (isReadonly: boolean, args: readonly string[]) => Promise<unknown>;

/**
 * `sendCommand`, with the parameters that this kind of client expects. Only the primary server is used, because a
 * replica may be out of date.
 */
function sender(client: NodeRedisClient): (key: string, args: readonly string[]) => Promise<unknown> {
  const send = client.sendCommand.bind(client) as unknown;
  if (hasMethods(client, "nodeClient")) return (key, args) => (send as SendToCluster)(key, false, args);
  if (hasMethods(client, "getMasterNode")) return (_key, args) => (send as SendToSentinel)(false, args);
  return (_key, args) => (send as SendToClient)(args);
}

async function openNodeRedis(client: NodeRedisClient): Promise<BlockingConnection> {
  const duplicate = (client as unknown as { duplicate(options: object): OwnNodeRedis }).duplicate;
  // The client must not reconnect by itself, because readers must learn that the connection was lost. A blocking
  // command may be silent for longer than the user's `socketTimeout`.
  const { socket } = (client as { options?: { socket?: object } }).options ?? {};
  const own = duplicate.call(client, { socket: { ...socket, reconnectStrategy: false, socketTimeout: undefined } });
  // Without a listener, an error would end the process. The pending command rejects with it anyway.
  own.on("error", () => {});
  await own.connect();
  return {
    send: (args) => own.sendCommand(args),
    close: () => {
      try {
        own.destroy();
      } catch {
        // The client was closed before.
      }
    },
  };
}

function nodeRedisConnection(client: NodeRedisClient): RedisConnection {
  const isSingle =
    hasMethods(client, "duplicate") && !hasMethods(client, "nodeClient") && !hasMethods(client, "getMasterNode");
  return {
    // A Cluster of version 5 and a pool have no `isReady`.
    isReady: () => client.isReady ?? client.isOpen,
    send: sender(client),
    openBlocking: isSingle ? () => openNodeRedis(client) : undefined,
  };
}

/**
 * A client of the package `redis` (5 and later: client, pool, Cluster or Sentinel) or `ioredis` (5 and later: client or
 * Cluster), which you have connected. It is recognised by its methods, not by its class.
 */
export type RedisClient = NodeRedisClient | IoredisClient;

// ioredis is checked first, because it has a `sendCommand`, too, with another meaning.
const isIoredis = (value: unknown): value is IoredisClient =>
  hasMethods(value, "call", "duplicate", "on") && "status" in (value as object);

// A client of version 4 has `disconnect` and no `destroy`, so its waiting connection could not be closed.
const isNodeRedis = (value: unknown): value is NodeRedisClient =>
  hasMethods(value, "sendCommand", "on") &&
  "isOpen" in (value as object) &&
  (hasMethods(value, "destroy") || !hasMethods(value, "disconnect"));

/** @throws {ConfigurationError} {@link ConfigurationError} if `redis` is not such a client. */
export function recogniseClient(owner: string, redis: unknown): RedisConnection {
  if (isIoredis(redis)) return ioredisConnection(redis);
  if (isNodeRedis(redis)) return nodeRedisConnection(redis);
  throw new ConfigurationError(
    `${owner}: redis: expected a client of the package redis or ioredis, version 5 or later, received ${kindOf(redis)}`,
  );
}
