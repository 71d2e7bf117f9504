/** Sends the requests of an export: within the rate limit, and again where that may help, all on the export's own clock. */
import { ApiError } from "../../errors/api-error.js";
import type { RateLimit } from "../../schemas/rate-limit.js";
import { hintMs, isRetryable } from "../../transport/retry-policy.js";
import type { Waiting } from "./export-clock.js";
import type { RateGate } from "./rate-gate.js";

/** Waits of 1, 2, 4 and 8 seconds lie between five attempts. */
const ATTEMPTS = 5;
const BACKOFF_MS = 1000;
/** How often in a row a 429 is waited for. */
const REFUSALS = 10;
const REFUSED_MS = 60_000;
/** A longer wait is for the user to decide on. */
const LONGEST_WAIT_MS = 3_600_000;

const READING = { retry: "repeatable", bodyRepeatable: true, maxRetryDelayMs: LONGEST_WAIT_MS } as const;

/** Whether the same request may succeed later. */
export const mayPass = (error: unknown) => isRetryable(error, READING);

export const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 429;

/** The answer of `send`, which makes one request. */
type Send = <T extends { rateLimit?: RateLimit | undefined }>(send: () => Promise<T>) => Promise<T>;

export interface Requests {
  once: Send;
  /** Again and again while that may help. */
  persistently: Send;
}

export function requestsThrough(gate: RateGate, { clock, signal, onWait }: Waiting): Requests {
  const once: Send = async (send) => {
    await gate.enter();
    let told: RateLimit | undefined;
    try {
      const answer = await send();
      told = answer.rateLimit;
      return answer;
    } catch (error) {
      if (error instanceof ApiError) told = error.rateLimit;
      throw error;
    } finally {
      gate.leave(told);
    }
  };

  const persistently: Send = async (send) => {
    for (let failures = 0, refusals = 0; ; ) {
      try {
        return await once(send);
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error)) throw error;
        const refused = isRefusal(error);
        if (refused) refusals += 1;
        else failures += 1;
        const wait = hintMs(error) ?? (refused ? REFUSED_MS : BACKOFF_MS * 2 ** (failures - 1));
        if (failures >= ATTEMPTS || refusals >= REFUSALS || wait > LONGEST_WAIT_MS) throw error;
        // A 429 is for every request, not for this one alone.
        if (refused) gate.pause(wait);
        else {
          onWait(wait);
          await clock.sleep(wait, signal);
        }
      }
    }
  };

  return { once, persistently };
}
