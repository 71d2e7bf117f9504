/** A store of handled deliveries that several processes share. */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../async/timers.js";
import { checkOptions } from "../../errors/argument-errors.js";
import { numberOf, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import type { ClaimResult, DedupeStore } from "../../webhooks/receive/dedupe.js";
import { type RedisClient, recogniseClient } from "../connection/recognise-client.js";
import { Outage } from "../outage.js";
import { REDIS_DEFAULTS, type RedisOptions, redisOptionsShape } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { sha256 } from "../sha256.js";
import { ClaimKeeper } from "./claim-keeper.js";
import { CLAIM, COMPLETE, DONE, ownerValue, RELEASE, RENEW } from "./dedupe-scripts.js";

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

/**
 * A store for `createReceiver` that several processes share, so that only one of them handles a delivery. While one
 * process handles it, the others respond 503. If the handler fails, its claim is released. If a process is killed, its
 * claim expires after `claimMs`. A process that was frozen for longer than that cannot complete or release a delivery
 * that another process has claimed since.
 *
 * Keys: `notetaker:dedupe:{SHA-256 of the delivery key}`, with a random owner or `done` as value, and a time to live.
 * Neither the body nor the secret is sent to Redis. Each delivery needs two round trips.
 *
 * While Redis cannot be reached, deliveries get 503. With `onError: "open"` they are handled, and some of them may be
 * handled twice.
 *
 * @throws {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is
 * invalid.
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const receiver = createReceiver({ secrets, dedupe: redisDedupe(redis) });
 */
export function redisDedupe(redis: RedisClient, options: RedisDedupeOptions = {}): DedupeStore {
  const connection = recogniseClient("redisDedupe", redis);
  checkOptions("redisDedupe", redisDedupeOptionsSchema, options);
  const { prefix = REDIS_DEFAULTS.prefix, onError = REDIS_DEFAULTS.onError, onUnavailable } = options;
  const { keepMs = 180_000, claimMs = 9_000 } = options;
  const server = new RedisServer("redisDedupe", connection, onError);
  const outage = new Outage(onUnavailable);
  /** The owners of deliveries that are handled without a claim. They have no claim to complete or release. */
  const unclaimed = new Set<string>();
  const keyOf = async (key: string) => `${prefix}dedupe:{${await sha256(key)}}`;
  const keeper = new ClaimKeeper(claimMs, async (redisKey, owner) => {
    await server.run(RENEW, [redisKey], [owner, String(claimMs)]);
  });

  async function release(redisKey: string, owner: string): Promise<void> {
    keeper.forget(redisKey, owner);
    await server.run(RELEASE, [redisKey], [owner]);
  }

  /** With `onError: "open"`, an error is reported once and replaced by `fallback`. */
  async function orOpen<T, U>(work: Promise<T>, fallback: U): Promise<T | U> {
    try {
      const result = await work;
      outage.reached();
      return result;
    } catch (error) {
      if (onError === "closed") throw error;
      outage.failed(error);
      return fallback;
    }
  }

  async function claim(key: string, owner: string): Promise<ClaimResult> {
    const redisKey = await keyOf(key);
    const value = ownerValue(owner);
    const onLate = (current: unknown) => {
      // The delivery has got 503 in the meantime, so its claim must not remain.
      if (current === value && onError === "closed") release(redisKey, value).catch(() => {});
    };
    const current = await server.run(CLAIM, [redisKey], [value, String(claimMs)], onLate);
    if (current === DONE) return "done";
    if (current !== value) return "in_progress";
    keeper.hold(redisKey, value);
    return "claimed";
  }

  return {
    async claim(key, owner) {
      const result = await orOpen(claim(key, owner), undefined);
      if (result === undefined) unclaimed.add(owner);
      return result ?? "claimed";
    },
    async complete(key, owner) {
      if (unclaimed.delete(owner)) return;
      const redisKey = await keyOf(key);
      const value = ownerValue(owner);
      const completing = async () => {
        await server.run(COMPLETE, [redisKey], [value, String(keepMs)]);
        keeper.forget(redisKey, value);
      };
      try {
        await completing();
      } catch (error) {
        // The work is done, and a short outage of Redis must not cause it to be done again.
        keeper.retry(redisKey, value, completing);
        if (onError === "closed") throw error;
        outage.failed(error);
      }
    },
    async release(key, owner) {
      if (!unclaimed.delete(owner)) await orOpen(release(await keyOf(key), ownerValue(owner)), undefined);
    },
  };
}
