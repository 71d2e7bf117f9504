import type { BlockingConnection, RedisConnection } from "./connection.js";

/** The part of a client of ioredis that is used. */
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

/** What a duplicated client can do beside {@link IoredisClient}. */
interface OwnClient extends IoredisClient {
  on(event: "error" | "ready" | "end", listener: () => void): unknown;
  connect(): Promise<void>;
  disconnect(): void;
}

const sendTo = (client: IoredisClient, [command = "", ...args]: readonly string[]): Promise<unknown> =>
  client.call(command, ...args);

async function openBlocking(client: IoredisClient): Promise<BlockingConnection> {
  const duplicate = client.duplicate as (options: object) => OwnClient;
  // It is opened again by us: a reader must know that it was lost. And its commands wait longer than others.
  const own = duplicate.call(client, { retryStrategy: null, maxRetriesPerRequest: 0, commandTimeout: undefined });
  // Without a listener, ioredis prints the error. The command that is waiting rejects, too.
  own.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    own.on("ready", resolve);
    own.on("end", () => reject(new Error("the connection could not be opened")));
    // With `lazyConnect`, it waits for a call of `connect`.
    if (own.status === "wait") void own.connect().catch(() => {});
  });
  return { send: (args) => sendTo(own, args), close: () => own.disconnect() };
}

export const ioredisConnection = (client: IoredisClient): RedisConnection => ({
  // A client with `lazyConnect` waits for its first command.
  isReady: () => client.status === "ready" || client.status === "wait",
  // The keys of the command say to which server of a Cluster it goes.
  send: (_key, args) => sendTo(client, args),
  openBlocking: client.isCluster === true ? undefined : () => openBlocking(client),
});
