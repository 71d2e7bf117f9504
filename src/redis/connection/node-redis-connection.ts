import type { BlockingConnection, RedisConnection } from "./connection.js";

/**
 * The part of a client of the package redis that is used. Client, pool, Cluster and Sentinel differ in `sendCommand`.
 */
export interface NodeRedisClient {
  /** Whether the client is connected or connecting. */
  readonly isOpen: boolean;
  /** Whether commands can be sent. */
  readonly isReady?: boolean;
  /** Sends a command. */
  sendCommand(...args: never[]): Promise<unknown>;
}

/** What a duplicated client can do. */
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

/** `sendCommand` in the form of this kind of client. The primary server alone is asked: a replica may be behind. */
function sender(client: NodeRedisClient): (key: string, args: readonly string[]) => Promise<unknown> {
  const send = client.sendCommand.bind(client) as unknown;
  if (has(client, "nodeClient")) return (key, args) => (send as SendToCluster)(key, false, args);
  if (has(client, "getMasterNode")) return (_key, args) => (send as SendToSentinel)(false, args);
  return (_key, args) => (send as SendToClient)(args);
}

async function openBlocking(client: NodeRedisClient): Promise<BlockingConnection> {
  const duplicate = (client as unknown as { duplicate(options: object): OwnClient }).duplicate;
  // It is opened again by us: a reader must know that it was lost.
  const { socket } = (client as { options?: { socket?: object } }).options ?? {};
  const own = duplicate.call(client, { socket: { ...socket, reconnectStrategy: false } });
  // Without a listener, an error would end the process. The command that is waiting rejects, too.
  own.on("error", () => {});
  await own.connect();
  return {
    send: (args) => own.sendCommand(args),
    close: () => {
      try {
        own.destroy();
      } catch {
        // It was closed before.
      }
    },
  };
}

export function nodeRedisConnection(client: NodeRedisClient): RedisConnection {
  const isSingle = has(client, "duplicate") && !has(client, "nodeClient") && !has(client, "getMasterNode");
  return {
    // A Cluster of version 5 and a pool do not say whether they are ready.
    isReady: () => client.isReady ?? client.isOpen,
    send: sender(client),
    openBlocking: isSingle ? () => openBlocking(client) : undefined,
  };
}
