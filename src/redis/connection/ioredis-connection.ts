/** A connection through a client of ioredis. */
import type { BlockingConnection, RedisConnection } from "./connection.js";

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
interface OwnClient extends IoredisClient {
  on(event: "error" | "ready" | "end", listener: () => void): unknown;
  connect(): Promise<void>;
  disconnect(): void;
}

const sendTo = (client: IoredisClient, [command = "", ...args]: readonly string[]): Promise<unknown> =>
  client.call(command, ...args);

async function openBlocking(client: IoredisClient): Promise<BlockingConnection> {
  const duplicate = client.duplicate as (options: object) => OwnClient;
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

export const ioredisConnection = (client: IoredisClient): RedisConnection => ({
  // A client with `lazyConnect` has the status "wait", and connects at its first command.
  isReady: () => client.status === "ready" || client.status === "wait",
  // A Cluster finds the server by the keys in the command.
  send: (_key, args) => sendTo(client, args),
  openBlocking: client.isCluster === true ? undefined : () => openBlocking(client),
});
