/** A store of handled deliveries that several processes share. */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../async/timers.js";
import { checkOptions } from "../../errors/argument-errors.js";
import { numberOf, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import type { ClaimResult, DedupeStore } from "../../webhooks/receive/dedupe.js";
import type { RedisClient } from "../connection.js";
import { DEFAULT_PREFIX, type RedisOptions, redisOptionsShape, sha256 } from "../redis-options.js";
import { RedisServer, type Reply } from "../redis-server.js";
import { ClaimKeeper } from "./claim-keeper.js";

/** Options of `redisDedupe`. */
export interface RedisDedupeOptions extends RedisOptions {
  /**
   * How long a completed delivery is remembered, in milliseconds. Default 3 minutes, because the service's last retry
   * comes within two minutes (documented).
   */
  keepMs?: number | undefined;
  /**
   * How long a claim remains after its process was killed, in milliseconds. After this time, another process can handle
   * the delivery. A running process renews its claims. At least 1,000. Default 9,000, because the service's second
   * retry comes after 10 seconds (documented).
   */
  claimMs?: number | undefined;
}

const redisDedupeOptionsSchema = optionsSchema<RedisDedupeOptions>()({
  ...redisOptionsShape,
  keepMs: z.optional(positiveInteger),
  claimMs: z.optional(
    numberOf(
      (value) => Number.isInteger(value) && value >= 1_000 && value <= MAX_TIMER_MS,
      "a whole number of 1000 or more",
    ),
  ),
});

/** The value of a completed delivery. A claim's value is its owner, a random string that begins with `claim:`. */
const DONE = "done";

/** KEYS: the delivery. ARGV: owner, how long the claim lasts. Returns the current value of the key. */
const CLAIM = `
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`;

/**
 * KEYS: the delivery. ARGV: owner, the new value, how long it is kept (0 to remove the claim). Changes nothing if
 * another owner has the claim.
 */
const WRITE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '0' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`;

class RedisDedupe implements DedupeStore {
  readonly #server: RedisServer;
  readonly #prefix: string;
  readonly #isOpen: boolean;
  readonly #keepMs: number;
  readonly #claimMs: number;
  readonly #keeper: ClaimKeeper;
  /** The owners of deliveries that are handled without a claim. They have no claim to complete or release. */
  readonly #unclaimed = new Set<string>();

  constructor(server: RedisServer, options: RedisDedupeOptions) {
    const { prefix = DEFAULT_PREFIX, onError, keepMs = 180_000, claimMs = 9_000 } = options;
    this.#server = server;
    this.#prefix = prefix;
    this.#isOpen = onError === "open";
    this.#keepMs = keepMs;
    this.#claimMs = claimMs;
    this.#keeper = new ClaimKeeper(claimMs);
  }

  async claim(key: string, owner: string): Promise<ClaimResult> {
    const result = await this.#server.orOpen(this.#claim(await this.#keyOf(key), `claim:${owner}`));
    if (result === undefined) this.#unclaimed.add(owner);
    return result ?? "claimed";
  }

  async complete(key: string, owner: string): Promise<void> {
    if (this.#unclaimed.delete(owner)) return;
    const redisKey = await this.#keyOf(key);
    const value = `claim:${owner}`;
    const write = () => this.#write(redisKey, value, DONE, this.#keepMs);
    const complete = async () => {
      try {
        await write();
        this.#keeper.forget(redisKey, value);
      } catch (error) {
        // The work is done, and a short outage of Redis must not cause it to be done again.
        this.#keeper.retry(redisKey, value, write);
        throw error;
      }
    };
    await this.#server.orOpen(complete());
  }

  async release(key: string, owner: string): Promise<void> {
    if (this.#unclaimed.delete(owner)) return;
    await this.#server.orOpen(this.#release(await this.#keyOf(key), `claim:${owner}`));
  }

  async #keyOf(key: string): Promise<string> {
    return `${this.#prefix}dedupe:{${await sha256(key)}}`;
  }

  async #claim(redisKey: string, value: string): Promise<ClaimResult> {
    const onLate = (current: Reply) => {
      // The delivery has got 503 in the meantime, so its claim must not remain.
      if (current === value && !this.#isOpen) this.#release(redisKey, value).catch(() => {});
    };
    const current = await this.#server.run(CLAIM, [redisKey], [value, String(this.#claimMs)], { onLate });
    if (current === DONE) return "done";
    if (current !== value) return "in_progress";
    this.#keeper.renew(redisKey, value, () => this.#write(redisKey, value, value, this.#claimMs));
    return "claimed";
  }

  async #release(redisKey: string, value: string): Promise<void> {
    this.#keeper.forget(redisKey, value);
    await this.#write(redisKey, value, "", 0);
  }

  #write(redisKey: string, owner: string, value: string, keepMs: number): Promise<Reply> {
    return this.#server.run(WRITE, [redisKey], [owner, value, String(keepMs)]);
  }
}

/**
 * A store for `createReceiver` that several processes share, so that only one of them handles a delivery; the others
 * respond 503. If the handler fails, its claim is released. If a process is killed, its claim expires after `claimMs`.
 *
 * While Redis cannot be reached, deliveries get 503. With `onError: "open"` they are handled, some perhaps twice.
 * Guide: docs/scaling.md#deliveries-redisdedupe.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis,
 * or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const receiver = createReceiver({ secrets, dedupe: redisDedupe(redis) });
 */
export function redisDedupe(redis: RedisClient, options: RedisDedupeOptions = {}): DedupeStore {
  checkOptions("redisDedupe", redisDedupeOptionsSchema, options);
  return new RedisDedupe(new RedisServer("redisDedupe", redis, options), options);
}
