/** Which failures of the service the loop waits out, and for how long. */
import { throwIfAborted } from "../../async/abort.js";
import { HOUR_MS, MINUTE_MS, pause } from "../../async/timers.js";
import { PaginationError, ResponseValidationError } from "../../errors/call-errors.js";
import { isTemporary } from "../../errors/is-temporary.js";
import { pauseMsAfter } from "../../waiting/meetings-since.js";
import { CallbackError, type FollowPlan } from "./follow-plan.js";

/** `follow: "once"` rejects if the service has failed for this long. */
const ONCE_GIVES_UP_MS = 10 * MINUTE_MS;
/** After this many polls in a row whose pages cannot be read, the error is thrown. */
const MAX_UNREADABLE = 5;

export class Outages {
  readonly #plan: FollowPlan;
  #failures = 0;
  #sinceMs: number | undefined;
  #unreadable = 0;

  constructor(plan: FollowPlan) {
    this.#plan = plan;
  }

  /** A step of the loop has succeeded. */
  end(): void {
    this.#failures = 0;
    this.#sinceMs = undefined;
  }

  polled(): void {
    this.#unreadable = 0;
  }

  /** Pauses after a temporary failure. Throws any other error, which ends the loop. */
  async waitAfter(error: unknown): Promise<void> {
    if (error instanceof CallbackError) throw error.cause;
    const { isOnce, pollMs, signal } = this.#plan;
    throwIfAborted(signal);
    if (isTemporary(error)) {
      const now = Date.now();
      this.#sinceMs ??= now;
      const pauseMs = Math.min(pauseMsAfter(error, this.#failures), HOUR_MS);
      this.#failures += 1;
      if (isOnce && now + pauseMs - this.#sinceMs >= ONCE_GIVES_UP_MS) throw error;
      return pause(pauseMs, signal);
    }
    this.#unreadable += 1;
    const isUnreadable = error instanceof ResponseValidationError || error instanceof PaginationError;
    if (!isUnreadable || this.#unreadable >= MAX_UNREADABLE) throw error;
    return pause(pollMs, signal);
  }
}
