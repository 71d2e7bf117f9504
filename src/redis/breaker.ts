/** After three late answers in a row, commands are refused at once, but for one every two seconds. */

/** After how many missing answers in a row commands are refused. */
const MAX_SLOW = 3;

/** How long commands are refused before one of them tries again, in milliseconds. */
const REFUSE_MS = 2_000;

export class Breaker {
  #slow = 0;
  #triesAt = 0;

  /** Whether a command that waits up to `timeoutMs` may be sent now. */
  allows(timeoutMs: number): boolean {
    const now = performance.now();
    if (this.#slow < MAX_SLOW) return true;
    if (now < this.#triesAt) return false;
    // By time, not until this command settles: a Worker may be stopped while it waits.
    this.#triesAt = now + timeoutMs + REFUSE_MS;
    return true;
  }

  /** Redis has answered in time. */
  close(): void {
    this.#slow = 0;
  }

  /** Redis has not answered in time. */
  countSlow(): void {
    this.#slow += 1;
    this.#triesAt = performance.now() + REFUSE_MS;
  }
}

/** One for each client: all functions that use it share what one of them has learned. */
const breakers = /* @__PURE__ */ new WeakMap<object, Breaker>();

export function breakerOf(client: object): Breaker {
  const breaker = breakers.get(client) ?? new Breaker();
  breakers.set(client, breaker);
  return breaker;
}
