/** Waits until the throttle admits a call, and reports to the throttle what the service says about its limits. */
import { abortable } from "../../async/abort.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import { readRateLimitReset, readRetryAfter } from "../../errors/retry-after.js";
import { readRateLimit } from "../../schemas/rate-limit.js";
import { log } from "../logger.js";
import type { RunningCall } from "../running-call.js";
import type { TransportConfig } from "../transport-config.js";
import type { Throttle, ThrottleRequest } from "./throttle.js";

/** Resolves to whether the call had to wait. Rejects as soon as the call is aborted, even if the throttle hangs. */
export async function waitForTurn(
  throttle: Throttle,
  request: Omit<ThrottleRequest, "onWait">,
  { logger, onThrottle }: Pick<TransportConfig, "logger" | "onThrottle">,
): Promise<boolean> {
  const { operation, signal } = request;
  let waited = false;
  const acquire = async () =>
    throttle.acquire({
      ...request,
      onWait(waitMs) {
        waited = true;
        log(logger, "info", "notetaker: waiting for the rate limit", { operation, waitMs });
        const reported: unknown = onThrottle?.({ operation, waitMs });
        Promise.resolve(reported).catch(() => log(logger, "warn", "notetaker: onThrottle failed", { operation }));
      },
    });
  await abortable(acquire(), signal);
  return waited;
}

/**
 * Tells the throttle to delay the next calls, if the response reports that a limit is used up. The result of a call
 * neither waits for this report nor depends on it.
 */
export function reportLimits(
  { config: { throttle, logger }, operation: { name: operation }, token }: RunningCall,
  response: Response | undefined,
  error: unknown,
): void {
  if (throttle === undefined || response === undefined) return;
  const { headers } = response;
  const rateLimit = readRateLimit(headers);
  if (rateLimit?.remaining !== 0 && !isRateLimited(error)) return;
  const holdMs = readRetryAfter(headers) ?? readRateLimitReset(headers) ?? 0;
  if (holdMs <= 0) return;
  const hold = async () => throttle.hold({ operation, token, limit: rateLimit?.limit, holdMs });
  hold().catch(() => log(logger, "warn", "notetaker: the throttle could not store a pause", { operation }));
}
