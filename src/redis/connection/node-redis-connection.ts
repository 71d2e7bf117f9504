/** A connection through a client of the package redis. */
import type { BlockingConnection, RedisConnection } from "./connection.js";

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
interface OwnClient {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: string, listener: () => void): unknown;
  sendCommand(args: readonly string[]): Promise<unknown>;
}

type SendToClient = (args: readonly string[]) => Promise<unknown>;
type SendToCluster = (firstKey: string, isReadonly: boolean, args: readonly string[]) => Promise<unknown>;
type SendToSentinel = (isReadonly: boolean, args: readonly string[]) => Promise<unknown>;

const has = (client: object, name: string): boolean => typeof (client as Record<string, unknown>)[name] === "function";

/**
 * `sendCommand`, with the parameters that this kind of client expects. Only the primary server is used, because a
 * replica may be out of date.
 */
function sender(client: NodeRedisClient): (key: string, args: readonly string[]) => Promise<unknown> {
  const send = client.sendCommand.bind(client) as unknown;
  if (has(client, "nodeClient")) return (key, args) => (send as SendToCluster)(key, false, args);
  if (has(client, "getMasterNode")) return (_key, args) => (send as SendToSentinel)(false, args);
  return (_key, args) => (send as SendToClient)(args);
}

async function openBlocking(client: NodeRedisClient): Promise<BlockingConnection> {
  const duplicate = (client as unknown as { duplicate(options: object): OwnClient }).duplicate;
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

export function nodeRedisConnection(client: NodeRedisClient): RedisConnection {
  const isSingle = has(client, "duplicate") && !has(client, "nodeClient") && !has(client, "getMasterNode");
  return {
    // A Cluster of version 5 and a pool have no `isReady`.
    isReady: () => client.isReady ?? client.isOpen,
    send: sender(client),
    openBlocking: isSingle ? () => openBlocking(client) : undefined,
  };
}
