/** Remembers which deliveries were handled or are being handled: the service may deliver an event more than once. */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { optionsSchema, positiveInteger } from "../../schemas/primitives.js";

/**
 * The result of a claim:
 * - `claimed`: the delivery was free and now belongs to the caller
 * - `in_progress`: another owner has claimed the delivery and is still working on it
 * - `done`: the delivery was completed before
 */
export type ClaimResult = "claimed" | "in_progress" | "done";

/**
 * A store of deliveries, shared by all receivers of one URL. A claim belongs to its `owner`, a random string:
 * completing or releasing a claim that meanwhile belongs to another owner changes nothing.
 */
export interface DedupeStore {
  /** Claims the delivery if it is free, in one step that no other process can interrupt. */
  claim(key: string, owner: string): ClaimResult | Promise<ClaimResult>;
  /** The work is done: further claims result in `done`, as long as the store remembers the delivery. */
  complete(key: string, owner: string): void | Promise<void>;
  /** The work failed: the next claim may succeed. */
  release(key: string, owner: string): void | Promise<void>;
}

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions {
  /**
   * How long a completed delivery is remembered, in milliseconds. Default 3 minutes, because the service's last retry
   * comes within two minutes (documented).
   */
  keepMs?: number | undefined;
  /** How many completed deliveries are remembered; the oldest are forgotten first. Default 100,000. */
  maxKeys?: number | undefined;
}

const memoryDedupeOptionsSchema = optionsSchema<MemoryDedupeOptions>()({
  keepMs: z.optional(positiveInteger),
  maxKeys: z.optional(positiveInteger),
});

/**
 * The default store, in the memory of one process. A claim lasts until it is completed or released, however long that
 * takes.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an option is unknown or invalid.
 * @example
 * const receiver = createReceiver({ secrets, dedupe: memoryDedupe({ keepMs: 3_600_000 }) });
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  checkOptions("memoryDedupe", memoryDedupeOptionsSchema, options);
  const { keepMs = 180_000, maxKeys = 100_000 } = options;
  const claims = new Map<string, string>();
  /**
   * For each key, the time of `performance.now()` at which it is forgotten. Every entry is kept equally long, so the
   * first entry is the oldest.
   */
  const done = new Map<string, number>();

  function forgetOld(): void {
    for (const [oldest, until] of done) {
      if (until > performance.now() && done.size <= maxKeys) break;
      done.delete(oldest);
    }
  }

  return {
    claim(key, owner) {
      forgetOld();
      if (done.has(key)) return "done";
      if (claims.has(key)) return "in_progress";
      claims.set(key, owner);
      return "claimed";
    },
    complete(key, owner) {
      if (claims.get(key) !== owner) return;
      claims.delete(key);
      done.set(key, performance.now() + keepMs);
    },
    release(key, owner) {
      if (claims.get(key) === owner) claims.delete(key);
    },
  };
}
