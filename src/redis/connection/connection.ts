/** The interface through which this entry point uses a client of either package, `redis` or `ioredis`. */

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
