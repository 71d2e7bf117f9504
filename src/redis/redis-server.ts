/** Runs scripts on the user's Redis, with timeouts. */
import { isErrorLike } from "../errors/error-record.js";
import type { RedisConnection } from "./connection.js";
import { sha1 } from "./digest.js";
import { redisError } from "./outage.js";

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
    this.#sha1 ??= sha1(this.text);
    return this.#sha1;
  }
}

/** A reply of Redis whose texts are strings: a client may be set to reply with buffers. */
export type Reply = string | number | null | readonly Reply[];

function asReply(value: unknown): Reply {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return Array.isArray(value) ? value.map(asReply) : (value as Reply);
}

/** What is special about running a script. */
interface RunOptions {
  /** Called with the reply if it arrives after the timeout. */
  onLate?: ((reply: Reply) => void) | undefined;
  /** If `true`, the error of a script that may have been run says so: its outcome is `unknown`. */
  isUncertain?: boolean;
}

const isScriptUnknown = (error: unknown): boolean => isErrorLike(error) && error.message.startsWith("NOSCRIPT");

/** Whether Redis has refused the command. Its errors begin with a code, such as `READONLY` or `OOM`. */
const isRefusal = (error: unknown): boolean => isErrorLike(error) && /^[A-Z]{2,} /.test(error.message);

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
   * @throws {@link ConnectionError} if Redis cannot be reached or responds with an error.
   */
  async run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    args: readonly string[],
    { onLate, isUncertain }: RunOptions = {},
  ): Promise<Reply> {
    // Lets the client notice a connection that has just been lost: then it is certain that the script was not run.
    if (isUncertain) await new Promise((resolve) => setTimeout(resolve, 0));
    await this.#untilReady();
    const late = onLate && ((reply: unknown) => onLate(asReply(reply)));
    return asReply(await this.inTime(this.#evaluate(script, keys, args), REDIS_TIMEOUT_MS, late, isUncertain));
  }

  /** @throws {@link ConnectionError} if `work` fails, or takes longer than `timeoutMs`. */
  async inTime<T>(work: Promise<T>, timeoutMs: number, onLate?: (result: T) => void, isUncertain = false): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const outcome = (isRefused = false) => (isUncertain && !isRefused ? "unknown" : "not_sent");
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(redisError(this.#owner, `Redis did not answer within ${timeoutMs} ms`, undefined, outcome()));
      }, timeoutMs);
    });
    const settled = work.then(
      (result) => {
        if (isLate) onLate?.(result);
        return result;
      },
      (error: unknown) => {
        throw redisError(this.#owner, "Redis failed", error, outcome(isRefusal(error)));
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

  /** The error for a reply that no script gives, such as the `QUEUED` of a client inside MULTI. */
  unexpectedReply(outcome?: "unknown"): Error {
    return redisError(this.#owner, "Redis gave an unexpected answer", undefined, outcome);
  }

  async #untilReady(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!this.connection.isReady()) {
      if (performance.now() >= deadline || (this.#isAway && this.#waitsOnce)) {
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
