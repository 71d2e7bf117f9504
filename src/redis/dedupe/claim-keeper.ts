/** Keeps the claims of a process alive, and repeats completions that Redis has not received yet. */

/** A claim of this process, or a completion that could not be written to Redis yet. */
interface KeptClaim {
  redisKey: string;
  owner: string;
  /** Writes the completion. If it is missing, the claim is renewed. */
  completing?: () => Promise<void>;
  /** When to stop trying to write the completion. */
  until: number;
}

/** For how long a completion is tried again, in milliseconds. The service's last retry comes earlier. */
const COMPLETION_MS = 180_000;

/** How many times a process renews its claims before they would expire. */
const RENEWALS = 3;

/**
 * Renews the claims of this process while their work runs. It uses one timer, which runs only while there are claims.
 */
export class ClaimKeeper {
  readonly #claimMs: number;
  readonly #renew: (redisKey: string, owner: string) => Promise<void>;
  readonly #claims = new Map<string, KeptClaim>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(claimMs: number, renew: (redisKey: string, owner: string) => Promise<void>) {
    this.#claimMs = claimMs;
    this.#renew = renew;
  }

  keep(redisKey: string, owner: string): void {
    this.#set({ redisKey, owner, until: Number.POSITIVE_INFINITY });
  }

  /** Tries `completing` again until it succeeds. */
  retry(redisKey: string, owner: string, completing: () => Promise<void>): void {
    this.#set({ redisKey, owner, completing, until: performance.now() + COMPLETION_MS });
  }

  forget(redisKey: string, owner: string): void {
    if (this.#claims.get(redisKey)?.owner === owner) this.#claims.delete(redisKey);
    if (this.#claims.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #set(claim: KeptClaim): void {
    this.#claims.set(claim.redisKey, claim);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), this.#claimMs / RENEWALS);
    // The timer does not keep the process alive; the work does.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #tick(): void {
    for (const { redisKey, owner, completing, until } of [...this.#claims.values()]) {
      if (performance.now() > until) this.forget(redisKey, owner);
      // A failure is ignored: the next tick tries again.
      else (completing?.() ?? this.#renew(redisKey, owner)).catch(() => {});
    }
  }
}
