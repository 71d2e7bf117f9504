/** Keeps the claims of a process alive, and repeats completions that Redis has not received yet. */

/** What is written again and again: the claim itself, or that its delivery is done. */
interface KeptClaim {
  readonly owner: string;
  readonly write: () => Promise<unknown>;
  /** When to stop. */
  readonly until: number;
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
  readonly #claims = new Map<string, KeptClaim>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(claimMs: number) {
    this.#claimMs = claimMs;
  }

  renew(redisKey: string, owner: string, write: () => Promise<unknown>): void {
    this.#keep(redisKey, { owner, write, until: Number.POSITIVE_INFINITY });
  }

  /** Tries `complete` again until it succeeds. */
  retry(redisKey: string, owner: string, complete: () => Promise<unknown>): void {
    const write = () => complete().then(() => this.forget(redisKey, owner));
    this.#keep(redisKey, { owner, write, until: performance.now() + COMPLETION_MS });
  }

  forget(redisKey: string, owner: string): void {
    if (this.#claims.get(redisKey)?.owner === owner) this.#claims.delete(redisKey);
    if (this.#claims.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #keep(redisKey: string, claim: KeptClaim): void {
    this.#claims.set(redisKey, claim);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), this.#claimMs / RENEWALS);
    // The timer does not keep the process alive; the work does.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #tick(): void {
    for (const [redisKey, { owner, write, until }] of this.#claims) {
      if (performance.now() > until) this.forget(redisKey, owner);
      // A failure is ignored: the next tick tries again.
      else write().catch(() => {});
    }
  }
}
