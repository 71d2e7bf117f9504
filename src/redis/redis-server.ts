/** Runs scripts on the user's Redis, with timeouts, and reports outages. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { pause } from "../async/timers.js";
import { ConnectionError } from "../errors/call-errors.js";
import { isErrorLike } from "../errors/error-record.js";
import { callSafely, logToConsole } from "../webhooks/http/respond.js";
import { type Breaker, breakerOf } from "./breaker.js";
import { type RedisConnection, recogniseClient } from "./connection.js";
import type { RedisOptions } from "./redis-options.js";

/** How long an operation waits for a client that is reconnecting, and how often it checks the client. */
const READY_TIMEOUT_MS = 2_000;
const READY_POLL_MS = 50;

/** A reply of Redis whose texts are strings: a client may be set to reply with buffers. */
export type Reply = string | number | null | readonly Reply[];

function asReply(value: unknown): Reply {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return Array.isArray(value) ? value.map(asReply) : (value as Reply);
}

interface RunOptions {
  onLate?: (reply: Reply) => void;
  /** If `true`, the error of a script that may have been run says so: its outcome is `unknown`. */
  isUncertain?: boolean;
  /** If `true`, the script is also sent to a Redis that answers too slowly: nobody waits for it. */
  isBackground?: boolean;
}

/** Whether Redis has refused the command. Its errors begin with a code, such as `READONLY` or `OOM`. */
const isCommandRefused = (error: unknown): boolean => isErrorLike(error) && /^[A-Z]{2,} /.test(error.message);

type FailureOutcome = "not_sent" | "unknown";

/** A copy with name and message: the client's own error also contains the command with its values. */
function causeOf(error: unknown): Error | undefined {
  if (!isErrorLike(error)) return undefined;
  const cause = new Error(error.message);
  cause.name = error.name;
  return typeof error.code === "string" ? Object.assign(cause, { code: error.code }) : cause;
}

export class RedisServer {
  readonly prefix: string;
  /** Whether operations continue without Redis while it cannot be reached. */
  readonly isOpen: boolean;
  readonly #caller: string;
  readonly #timeoutMs: number;
  readonly #breaker: Breaker;
  readonly #connection: RedisConnection;
  readonly #report: (error: unknown) => void;
  #isAway = false;
  #isReported = false;

  constructor(caller: string, redis: unknown, options: RedisOptions) {
    const { prefix = "notetaker:", timeoutMs = 3_000, onError, onUnavailable = logToConsole } = options;
    this.prefix = prefix;
    this.isOpen = onError === "open";
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
    this.#connection = recogniseClient(caller, redis);
    this.#breaker = breakerOf(redis as object);
    this.#report = onUnavailable;
  }

  /** Settles like `work`. With `onError: "open"`, it resolves to `undefined` instead of an error: see the option. */
  async orOpen<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      const result = await work;
      this.#isReported = false;
      return result;
    } catch (error) {
      if (!this.isOpen) throw error;
      if (!this.#isReported) callSafely(() => this.#report(error));
      this.#isReported = true;
      return undefined;
    }
  }

  /** Runs a Lua script, in one round trip. All keys are in one slot of a Cluster. Rejects with a `ConnectionError`. */
  async run(
    script: string,
    keys: readonly [string, ...string[]],
    args: readonly string[],
    { onLate, isUncertain = false, isBackground = false }: RunOptions = {},
  ): Promise<Reply> {
    const timeoutMs = this.#timeoutMs;
    if (!isBackground && !this.#breaker.allows(timeoutMs)) throw this.#error("Redis answers too slowly");
    // Lets the client notice a connection that has just been lost: then it is certain that the script was not run.
    if (isUncertain) await pause(0);
    await this.#untilReady();
    const outcome = isUncertain ? "unknown" : "not_sent";
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      this.#breaker.countSlow();
      timeout.abort(this.#error(`Redis did not answer within ${timeoutMs} ms`, outcome));
    }, timeoutMs);
    const send = async () => this.#connection.send(keys[0], ["EVAL", script, String(keys.length), ...keys, ...args]);
    try {
      const answer = asReply(await abortable(send(), timeout.signal, (late) => onLate?.(asReply(late))));
      this.#breaker.close();
      return answer;
    } catch (error) {
      throwIfAborted(timeout.signal);
      if (isCommandRefused(error)) this.#breaker.close();
      throw this.#error("Redis failed", isCommandRefused(error) ? "not_sent" : outcome, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The error for a reply that no script gives, such as the `QUEUED` of a client inside MULTI. */
  unexpectedReply(outcome?: "unknown"): Error {
    return this.#error("Redis gave an unexpected answer", outcome);
  }

  async #untilReady(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!this.#connection.isReady()) {
      // With `onError: "open"`, only the first operation of an outage waits for the client to reconnect.
      if (performance.now() >= deadline || (this.#isAway && this.isOpen)) {
        this.#isAway = true;
        throw this.#error("the Redis client is not connected");
      }
      await pause(READY_POLL_MS);
    }
    this.#isAway = false;
  }

  #error(why: string, outcome: FailureOutcome = "not_sent", error?: unknown): ConnectionError {
    const reason = isErrorLike(error) ? `${why}: ${error.message}` : why;
    return new ConnectionError({
      message: `${this.#caller}: ${reason}`,
      cause: causeOf(error),
      outcome,
      retryable: outcome === "not_sent",
    });
  }
}
