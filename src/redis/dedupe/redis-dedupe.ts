import * as z from "zod/mini";
import { renewEvery } from "../../async/timers.js";
import { checkOptions } from "../../errors/check-arguments.js";
import { type Infer, numberOf, positiveInteger } from "../../schemas/primitives.js";
import {
  type ClaimResult,
  DEFAULT_CLAIM_MS,
  DEFAULT_KEEP_MS,
  type DedupeStore,
  RENEWALS,
} from "../../webhooks/receive/dedupe.js";
import type { RedisClient } from "../connection.js";
import { hashOf, type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer, type Reply } from "../redis-server.js";

const dedupeOptions = {
  /** How long a completed delivery is remembered, in milliseconds. Default 3 minutes. */
  keepMs: z.optional(positiveInteger),
  /** A killed process's claim ends after these ms, 1,000 to 30,000: before the last retry at 60 s. Default 9,000. */
  claimMs: z.optional(
    numberOf(
      (value) => Number.isInteger(value) && value >= 1_000 && value <= 30_000,
      "a whole number from 1000 to 30000",
    ),
  ),
};

export interface RedisDedupeOptions extends RedisOptions, Infer<typeof dedupeOptions> {}

const redisDedupeOptionsSchema = z.strictObject({ ...redisOptionsShape, ...dedupeOptions });

/** The value of a completed delivery. The value of a claim is its holder, a random string. */
const DONE = "done";

/** KEYS: the delivery. ARGV: holder, how long the claim lasts. Returns the current value of the key. */
const CLAIM = `
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`;

/** KEYS: the delivery. ARGV: holder, new value, how long it is kept (0 removes it). For the holder alone. */
const WRITE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '0' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`;

class RedisDedupe implements DedupeStore {
  readonly #server: RedisServer;
  readonly #keepMs: number;
  readonly #claimMs: number;
  /** For each claim of this process, the function that stops repeating its last write. */
  readonly #timers = new Map<string, () => void>();

  constructor(server: RedisServer, { keepMs = DEFAULT_KEEP_MS, claimMs = DEFAULT_CLAIM_MS }: RedisDedupeOptions) {
    this.#server = server;
    this.#keepMs = keepMs;
    this.#claimMs = claimMs;
  }

  async claim(delivery: string, holder: string): Promise<ClaimResult> {
    return (await this.#server.orOpen(this.#claim(await this.#keyOf(delivery), holder))) ?? "claimed";
  }

  async complete(delivery: string, holder: string): Promise<void> {
    await this.#settle(await this.#keyOf(delivery), holder, DONE, this.#keepMs);
  }

  async release(delivery: string, holder: string): Promise<void> {
    await this.#settle(await this.#keyOf(delivery), holder, "", 0);
  }

  async #keyOf(delivery: string): Promise<string> {
    return `${this.#server.prefix}dedupe:{${await hashOf(delivery)}}`;
  }

  async #claim(key: string, holder: string): Promise<ClaimResult> {
    const onLate = (current: Reply) => {
      // The delivery has got 503 in the meantime, so its claim must not remain.
      if (current === holder && !this.#server.isOpen) this.#write(key, holder, "", 0, true).catch(() => {});
    };
    const current = await this.#server.run(CLAIM, [key], [holder, String(this.#claimMs)], { onLate });
    if (current === DONE) return "done";
    if (current !== holder) return "in_progress";
    this.#repeat(key, holder, () => this.#write(key, holder, holder, this.#claimMs, true));
    return "claimed";
  }

  /** Ends a claim. A failed write is repeated: a short outage of Redis must not cause finished work to be done again. */
  async #settle(key: string, holder: string, value: string, keepMs: number): Promise<void> {
    // The delivery was handled without a claim, because Redis could not be reached.
    if (this.#server.isOpen && !this.#timers.has(`${key} ${holder}`)) return;
    const write = async (isBackground: boolean) => {
      await this.#write(key, holder, value, keepMs, isBackground);
      this.#stopRepeating(key, holder);
    };
    // Later, the claim has expired.
    this.#repeat(key, holder, () => write(true), this.#claimMs);
    await this.#server.orOpen(write(false));
  }

  async #write(key: string, holder: string, value: string, keepMs: number, isBackground: boolean): Promise<void> {
    await this.#server.run(WRITE, [key], [holder, value, String(keepMs)], { isBackground });
  }

  /** Repeats `write` before the claim would expire. A failure is ignored: the next repetition tries again. */
  #repeat(key: string, holder: string, write: () => Promise<void>, forMs = Number.POSITIVE_INFINITY): void {
    this.#stopRepeating(key, holder);
    const until = performance.now() + forMs;
    const stop = renewEvery(this.#claimMs / RENEWALS, () => {
      if (performance.now() > until) this.#stopRepeating(key, holder);
      else write().catch(() => {});
    });
    this.#timers.set(`${key} ${holder}`, stop);
  }

  #stopRepeating(key: string, holder: string): void {
    this.#timers.get(`${key} ${holder}`)?.();
    this.#timers.delete(`${key} ${holder}`);
  }
}

/**
 * A store for `createReceiver` that several processes share, so that only one of them handles a delivery; the others
 * respond 503. If the handler fails, its claim is released. If a process is killed, its claim expires after `claimMs`.
 *
 * While Redis cannot be reached, deliveries get 503. With `onError: "open"` they are handled, some perhaps twice.
 * Guide: docs/many-customers.md#deliveries-redisdedupe.
 * @throws {ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is invalid
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const receiver = createReceiver({ secrets, dedupe: redisDedupe(redis) });
 */
export function redisDedupe(redis: RedisClient, options: RedisDedupeOptions = {}): DedupeStore {
  checkOptions("redisDedupe", redisDedupeOptionsSchema, options);
  return new RedisDedupe(new RedisServer("redisDedupe", redis, options), options);
}
