/** A store of handled deliveries that several processes share. */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../async/timers.js";
import { checkOptions } from "../../errors/argument-errors.js";
import { numberOf, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import type { ClaimResult, DedupeStore } from "../../webhooks/receive/dedupe.js";
import type { RedisClient } from "../connection.js";
import { DEFAULT_PREFIX, type RedisOptions, redisOptionsShape, sha256 } from "../redis-options.js";
import { RedisServer, type Reply } from "../redis-server.js";

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

/** How many times a process renews a claim before it would expire. */
const RENEWALS = 3;

/** For how long a completion is tried again, in milliseconds. The service's last retry comes earlier. */
const COMPLETION_MS = 180_000;

/** A delivery's key in Redis, and the value by which its owner claims it. */
interface Claim {
  readonly redisKey: string;
  readonly value: string;
}

class RedisDedupe implements DedupeStore {
  readonly #server: RedisServer;
  readonly #prefix: string;
  readonly #isOpen: boolean;
  readonly #keepMs: number;
  readonly #claimMs: number;
  /** For each claim of this process, the timer that repeats its last write. */
  readonly #timers = new Map<string, ReturnType<typeof setInterval>>();

  constructor(server: RedisServer, options: RedisDedupeOptions) {
    const { prefix = DEFAULT_PREFIX, onError, keepMs = 180_000, claimMs = 9_000 } = options;
    this.#server = server;
    this.#prefix = prefix;
    this.#isOpen = onError === "open";
    this.#keepMs = keepMs;
    this.#claimMs = claimMs;
  }

  async claim(key: string, owner: string): Promise<ClaimResult> {
    return (await this.#server.orOpen(this.#claim(await this.#claimOf(key, owner)))) ?? "claimed";
  }

  async complete(key: string, owner: string): Promise<void> {
    const claim = await this.#claimOf(key, owner);
    if (!this.#isUnclaimed(claim)) await this.#server.orOpen(this.#complete(claim));
  }

  async release(key: string, owner: string): Promise<void> {
    const claim = await this.#claimOf(key, owner);
    if (!this.#isUnclaimed(claim)) await this.#server.orOpen(this.#release(claim));
  }

  async #claimOf(key: string, owner: string): Promise<Claim> {
    return { redisKey: `${this.#prefix}dedupe:{${await sha256(key)}}`, value: `claim:${owner}` };
  }

  /** Whether the delivery is handled without a claim, because Redis could not be reached. */
  #isUnclaimed(claim: Claim): boolean {
    return this.#isOpen && !this.#timers.has(timerKey(claim));
  }

  async #claim(claim: Claim): Promise<ClaimResult> {
    const { redisKey, value } = claim;
    const onLate = (current: Reply) => {
      // The delivery has got 503 in the meantime, so its claim must not remain.
      if (current === value && !this.#isOpen) this.#release(claim).catch(() => {});
    };
    const current = await this.#server.run(CLAIM, [redisKey], [value, String(this.#claimMs)], { onLate });
    if (current === DONE) return "done";
    if (current !== value) return "in_progress";
    this.#repeat(claim, () => this.#write(claim, value, this.#claimMs));
    return "claimed";
  }

  async #complete(claim: Claim): Promise<void> {
    const complete = async () => {
      await this.#write(claim, DONE, this.#keepMs);
      this.#stopRepeating(claim);
    };
    try {
      await complete();
    } catch (error) {
      // The work is done, and a short outage of Redis must not cause it to be done again.
      this.#repeat(claim, complete, COMPLETION_MS);
      throw error;
    }
  }

  async #release(claim: Claim): Promise<void> {
    this.#stopRepeating(claim);
    await this.#write(claim, "", 0);
  }

  #write({ redisKey, value }: Claim, newValue: string, keepMs: number): Promise<Reply> {
    return this.#server.run(WRITE, [redisKey], [value, newValue, String(keepMs)]);
  }

  /** Repeats `write` before the claim would expire. A failure is ignored: the next repetition tries again. */
  #repeat(claim: Claim, write: () => Promise<unknown>, forMs = Number.POSITIVE_INFINITY): void {
    this.#stopRepeating(claim);
    const until = performance.now() + forMs;
    const timer = setInterval(() => {
      if (performance.now() > until) this.#stopRepeating(claim);
      else write().catch(() => {});
    }, this.#claimMs / RENEWALS);
    // The timer does not keep the process alive; the work does.
    (timer as { unref?: () => void }).unref?.();
    this.#timers.set(timerKey(claim), timer);
  }

  #stopRepeating(claim: Claim): void {
    const key = timerKey(claim);
    clearInterval(this.#timers.get(key));
    this.#timers.delete(key);
  }
}

const timerKey = ({ redisKey, value }: Claim): string => `${redisKey} ${value}`;

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
