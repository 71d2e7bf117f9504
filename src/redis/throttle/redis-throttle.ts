/** Keeps the limits of accounts for all processes that share one Redis. */
import * as z from "zod/mini";
import { ConfigurationError } from "../../errors/configuration-error.js";
import { formatIssues } from "../../schemas/format-issues.js";
import {
  type LimitName,
  type LimitReport,
  limitsOf,
  reportedLimit,
  type Throttle,
  type ThrottleRequest,
} from "../../transport/throttle/throttle.js";
import { type ThrottleLimits, throttleLimitsSchema, windowsOf } from "../../transport/throttle/throttle-options.js";
import { checkOptions, type OptionChecks, uncheckedHere, withDefaults } from "../../webhooks/check-options.js";
import { type RedisClient, recogniseClient } from "../connection/recognise-client.js";
import { Outage } from "../outage.js";
import { REDIS_CHECKS, REDIS_DEFAULTS, type RedisOptions } from "../redis-options.js";
import { RedisServer } from "../redis-server.js";
import { sha256 } from "../sha256.js";
import { LimitLine } from "./limit-line.js";

/** Options of `redisThrottle`. */
export interface RedisThrottleOptions extends RedisOptions {
  /** Limits that replace the service's. They must be the same in every process. */
  limits?: ThrottleLimits | undefined;
}

const REDIS_THROTTLE_CHECKS: OptionChecks<RedisThrottleOptions> = { ...REDIS_CHECKS, limits: uncheckedHere };

function checkLimits(limits: ThrottleLimits | undefined): void {
  if (limits === undefined) return;
  const { error } = z.safeParse(throttleLimitsSchema, limits);
  const [issue] = error === undefined ? [] : formatIssues(error.issues, limits, throttleLimitsSchema);
  if (issue !== undefined) throw new ConfigurationError(`redisThrottle: limits.${issue.path}: ${issue.message}`);
}

class RedisThrottle implements Throttle {
  readonly #options: RedisThrottleOptions;
  readonly #server: RedisServer;
  readonly #prefix: string;
  readonly #windows: ReturnType<typeof windowsOf>;
  readonly #outage: Outage;
  /** The limits for which calls of this process wait, by their keys. */
  readonly #lines = new Map<string, LimitLine>();
  // Edge workers have no random numbers at module level.
  #process: string | undefined;

  constructor(server: RedisServer, options: RedisThrottleOptions) {
    const { prefix } = withDefaults(options, REDIS_DEFAULTS);
    this.#options = options;
    this.#server = server;
    this.#prefix = prefix;
    this.#windows = windowsOf(options.limits);
    this.#outage = new Outage(options.onUnavailable);
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const account = await sha256(request.token);
    const held: { line: LimitLine; id: string }[] = [];
    try {
      for (const name of limitsOf(request.operation)) {
        const line = this.#lineOf(account, name);
        held.push({ line, id: await line.take(request) });
      }
      // The last limit counted the call when it went. The limits before it reserved a place without knowing the time.
      for (const { line, id } of held.slice(0, -1)) await line.confirm(id);
    } catch (error) {
      for (const { line, id } of held) line.giveUp(id);
      throw error;
    }
  }

  async hold(report: LimitReport): Promise<void> {
    const name = reportedLimit(report, this.#windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    try {
      await this.#lineOf(await sha256(report.token), name).hold(report.holdMs);
    } catch (error) {
      // The response that said so is there: it does not fail because of Redis.
      this.#outage.failed(error);
    }
  }

  #lineOf(account: string, name: LimitName): LimitLine {
    const keyBase = `${this.#prefix}throttle:{${account}}:${name}`;
    const existing = this.#lines.get(keyBase);
    if (existing !== undefined) return existing;
    this.#process ??= crypto.randomUUID();
    const line: LimitLine = new LimitLine({
      server: this.#server,
      process: this.#process,
      keyBase,
      windows: this.#windows[name],
      holdsPlaceForOtherLimit: name === "createWebhook",
      mayGoWithoutRedis: (error) => this.#mayGoWithoutRedis(error),
      onReached: () => this.#outage.reached(),
      onIdle: () => this.#lines.delete(keyBase),
    });
    this.#lines.set(keyBase, line);
    return line;
  }

  #mayGoWithoutRedis(error: unknown): boolean {
    if (this.#options.onError !== "open") return false;
    this.#outage.failed(error);
    return true;
  }
}

/**
 * A throttle that keeps the limits of each token for all processes with the same Redis: exact sliding windows by the
 * clock of Redis, first come, first served. What the service says of a limit (a 429, an empty budget) holds back all
 * processes.
 *
 * One round trip per call; while calls wait, one per process, token and limit every 1.3 seconds. If a process is killed
 * while it waits, the others pass it by within 4 seconds.
 *
 * Keys: `notetaker:throttle:{SHA-256 of the token}:…`, each with a time to live. The token does not reach Redis.
 *
 * While Redis cannot be reached, calls reject with a `ConnectionError` whose `outcome` is `not_sent`, within 5 seconds;
 * with `onError: "open"` they are sent, limits or not.
 *
 * @throws {@link ConfigurationError} if `redis` is not a client of the package redis or ioredis, or an option is
 * invalid.
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect();
 * const notetaker = new Notetaker({ throttle: redisThrottle(redis) });
 */
export function redisThrottle(redis: RedisClient, options: RedisThrottleOptions = {}): Throttle {
  const connection = recogniseClient("redisThrottle", redis);
  checkOptions("redisThrottle", options, REDIS_THROTTLE_CHECKS);
  checkLimits(options.limits);
  return new RedisThrottle(new RedisServer("redisThrottle", connection, options.onError), options);
}
