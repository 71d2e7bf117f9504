/** Runs scripts on the user's Redis, with timeouts. */
import { isErrorLike } from "../errors/error-record.js";
import type { RedisConnection } from "./connection/connection.js";
import { redisError } from "./redis-error.js";

/** The longest time that one operation waits for a response of Redis, in milliseconds. */
export const REDIS_TIMEOUT_MS = 3_000;

/**
 * How long an operation waits for a client that is reconnecting, and how often it checks the client, in milliseconds.
 */
const READY_TIMEOUT_MS = 2_000;
const READY_POLL_MS = 50;

/** A Lua script with its SHA-1, which is computed at first use. */
export class RedisScript {
  readonly text: string;
  #sha1: Promise<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  sha1(): Promise<string> {
    this.#sha1 ??= crypto.subtle
      .digest("SHA-1", new TextEncoder().encode(this.text))
      .then((digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(""));
    return this.#sha1;
  }
}

const isScriptUnknown = (error: unknown): boolean => isErrorLike(error) && error.message.startsWith("NOSCRIPT");

export class RedisServer {
  readonly connection: RedisConnection;
  readonly #owner: string;
  readonly #waitsOnce: boolean;
  /** Whether the last wait for the client ended without a connection. */
  #isAway = false;

  /**
   * @param owner - The beginning of error messages.
   * @param onError - With `"open"`, only the first operation of an outage waits for the client to reconnect.
   */
  constructor(owner: string, connection: RedisConnection, onError: "open" | "closed" = "closed") {
    this.#owner = owner;
    this.connection = connection;
    this.#waitsOnce = onError === "open";
  }

  /**
   * Runs a script. It needs one round trip, or two if the server does not know the script yet.
   *
   * @param keys - The keys, all in one slot of a Cluster.
   * @param onLate - Called with the result if it arrives after the timeout.
   * @throws {@link ConnectionError} if Redis cannot be reached or responds with an error.
   */
  async run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    args: readonly string[],
    onLate?: (result: unknown) => void,
  ): Promise<unknown> {
    await this.#untilReady();
    return this.inTime(this.#evaluate(script, keys, args), REDIS_TIMEOUT_MS, onLate);
  }

  /** @throws {@link ConnectionError} if `work` fails, or takes longer than `timeoutMs`. */
  async inTime<T>(work: Promise<T>, timeoutMs: number, onLate?: (result: T) => void): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(redisError(this.#owner, `Redis did not answer within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    const settled = work.then(
      (result) => {
        if (isLate) onLate?.(result);
        return result;
      },
      (error: unknown) => {
        throw redisError(this.#owner, "Redis failed", error);
      },
    );
    // If the timeout comes first, nobody handles a later rejection.
    settled.catch(() => {});
    try {
      return await Promise.race([settled, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!this.connection.isReady()) {
      if (Date.now() >= deadline || (this.#isAway && this.#waitsOnce)) {
        this.#isAway = true;
        throw redisError(this.#owner, "the Redis client is not connected");
      }
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    }
    this.#isAway = false;
  }

  async #evaluate(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<unknown> {
    const parameters = [String(keys.length), ...keys, ...args];
    try {
      return await this.connection.send(keys[0], ["EVALSHA", await script.sha1(), ...parameters]);
    } catch (error) {
      if (!isScriptUnknown(error)) throw error;
      return this.connection.send(keys[0], ["EVAL", script.text, ...parameters]);
    }
  }
}
