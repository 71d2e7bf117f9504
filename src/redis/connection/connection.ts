/** A connection that may wait in Redis: a blocking command holds up nothing else. */
export interface BlockingConnection {
  send(args: readonly string[]): Promise<unknown>;
  /** Closes it at once, also in the middle of a command. */
  close(): void;
}

/** The user's client, whichever package it is from. */
export interface RedisConnection {
  /** Whether a command would be sent now. A client that is not connected would keep it, and send it much later. */
  isReady(): boolean;
  /** Sends one command to the server of `key`. Rejects as the client does. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  /**
   * Opens a connection of its own to the same server. `undefined` if there is no one server: a Cluster, Sentinel or a
   * pool, where the client decides for each command.
   */
  openBlocking: (() => Promise<BlockingConnection>) | undefined;
}
