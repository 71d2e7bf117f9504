import { functionValue, nonEmptyText, type OptionChecks } from "../webhooks/check-options.js";

/** The options that `redisThrottle`, `redisDedupe` and `redisEventLog` have in common. */
export interface RedisOptions {
  /** The beginning of every key. Default `notetaker:`. */
  prefix?: string | undefined;
  /**
   * What happens while Redis cannot be reached:
   * - `"closed"` (default): the operation fails with a `ConnectionError` within 5 seconds
   * - `"open"`: the operation continues without Redis, and the outage is reported once to `onUnavailable`
   */
  onError?: "open" | "closed" | undefined;
  /**
   * With `onError: "open"`, called with the first error of each outage. Default `console.error`.
   */
  onUnavailable?: ((error: unknown) => void) | undefined;
}

export const REDIS_DEFAULTS = { prefix: "notetaker:", onError: "closed" } as const;

const braces = /[{}]/;

export const REDIS_CHECKS: OptionChecks<RedisOptions> = {
  // Braces would change the hash tag. Then a Cluster could store the keys of one operation on different servers.
  prefix: (value) => nonEmptyText(value) ?? (braces.test(String(value)) ? "a string without { and }" : undefined),
  onError: (value) => (value === "open" || value === "closed" ? undefined : '"open" or "closed"'),
  onUnavailable: functionValue,
};
