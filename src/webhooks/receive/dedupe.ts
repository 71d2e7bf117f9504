/** Which deliveries were handled, and which are being handled: the service may deliver an event more than once. */
import { checkNumbers, rejectUnknownOptions } from "../check-options.js";

/**
 * What a claim finds:
 * - `claimed`: nobody has the delivery; it is now the caller's
 * - `in_progress`: somebody has claimed it and not settled yet
 * - `done`: it was completed
 */
export type ClaimResult = "claimed" | "in_progress" | "done";

/**
 * A store of deliveries, shared by all receivers of one URL. A claim belongs to its `owner`, a random string:
 * completing or releasing a claim that is another's by now changes nothing.
 */
export interface DedupeStore {
  /** Takes the delivery, if it is free, in one step that no other process can come between. */
  claim(key: string, owner: string): ClaimResult | Promise<ClaimResult>;
  /** The work is done: further claims find `done`, for as long as the store keeps it. */
  complete(key: string, owner: string): void | Promise<void>;
  /** The work failed: the next claim may have it. */
  release(key: string, owner: string): void | Promise<void>;
}

export interface MemoryDedupeOptions {
  /**
   * How long a completed delivery is remembered, in milliseconds. Default 10 minutes: the service's last retry comes
   * within two (level A).
   */
  keepMs?: number | undefined;
  /** How many completed deliveries are remembered; the oldest are forgotten first. Default 100,000. */
  maxKeys?: number | undefined;
}

/**
 * The default store: in the memory of one process. A claim is held until its work settles, however long that takes.
 *
 * @example
 * const receiver = createReceiver({ secrets, dedupe: memoryDedupe({ keepMs: 3_600_000 }) });
 */
export function memoryDedupe({
  keepMs = 600_000,
  maxKeys = 100_000,
  ...others
}: MemoryDedupeOptions = {}): DedupeStore {
  rejectUnknownOptions("memoryDedupe", others);
  checkNumbers("memoryDedupe", { keepMs, maxKeys });
  const claims = new Map<string, string>();
  /** From the key to the time it is forgotten. Every entry is kept equally long, so the oldest is always the first. */
  const done = new Map<string, number>();

  return {
    claim(key, owner) {
      for (const [oldest, until] of done) {
        if (until > Date.now() && done.size <= maxKeys) break;
        done.delete(oldest);
      }
      if (done.has(key)) return "done";
      if (claims.has(key)) return "in_progress";
      claims.set(key, owner);
      return "claimed";
    },
    complete(key, owner) {
      if (claims.get(key) !== owner) return;
      claims.delete(key);
      done.set(key, Date.now() + keepMs);
    },
    release(key, owner) {
      if (claims.get(key) === owner) claims.delete(key);
    },
  };
}
