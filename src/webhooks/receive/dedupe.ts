import { renewEvery } from "../../async/timers.js";

/**
 * The result of a claim:
 * - `claimed`: the delivery was free and now belongs to the caller
 * - `in_progress`: somebody else has claimed the delivery and is still working on it
 * - `done`: the delivery was completed before
 */
export type ClaimResult = "claimed" | "in_progress" | "done";

/** Shared by all receivers of a URL. A claim of another `holder` (a random string) is left unchanged. */
export interface DedupeStore {
  /** Claims the delivery if it is free, in one step that no other process can interrupt. */
  claim(key: string, holder: string): ClaimResult | Promise<ClaimResult>;
  /** The work is done: further claims result in `done`, as long as the store remembers the delivery. */
  complete(key: string, holder: string): void | Promise<void>;
  /** The work failed: the next claim may succeed. */
  release(key: string, holder: string): void | Promise<void>;
}

/** How long a completed delivery is remembered: the service's last retry comes within two minutes (documented). */
export const DEFAULT_KEEP_MS = 180_000;

/** Less than the 10 s and 60 s before later retries (documented): the work of a stopped handler is done again. */
export const DEFAULT_CLAIM_MS = 9_000;

/** How many times a claim is renewed before it would end. */
export const RENEWALS = 3;

interface Claim {
  readonly holder: string;
  endsAt: number;
  readonly stopRenewing: () => void;
}

/** In memory. A claim is renewed until it is settled; 9 seconds after a runtime stops the handler, it ends. */
export function memoryDedupe({ keepMs = DEFAULT_KEEP_MS, maxKeys = 100_000 } = {}): DedupeStore {
  const claims = new Map<string, Claim>();
  /** For each key, the time at which it is forgotten. The first entry is the oldest. */
  const done = new Map<string, number>();

  function forgetOld(): void {
    for (const [oldest, until] of done) {
      if (until > performance.now() && done.size <= maxKeys) break;
      done.delete(oldest);
    }
  }

  function addClaim(key: string, holder: string): void {
    claims.get(key)?.stopRenewing();
    const newEnd = () => performance.now() + DEFAULT_CLAIM_MS;
    const stopRenewing = renewEvery(DEFAULT_CLAIM_MS / RENEWALS, () => {
      claim.endsAt = newEnd();
    });
    const claim: Claim = { holder, endsAt: newEnd(), stopRenewing };
    claims.set(key, claim);
  }

  function endClaim(key: string, holder: string): boolean {
    const claim = claims.get(key);
    if (claim?.holder !== holder) return false;
    claim.stopRenewing();
    return claims.delete(key);
  }

  return {
    claim(key, holder) {
      forgetOld();
      if (done.has(key)) return "done";
      if ((claims.get(key)?.endsAt ?? 0) > performance.now()) return "in_progress";
      addClaim(key, holder);
      return "claimed";
    },
    complete(key, holder) {
      if (endClaim(key, holder)) done.set(key, performance.now() + keepMs);
    },
    release(key, holder) {
      endClaim(key, holder);
    },
  };
}
