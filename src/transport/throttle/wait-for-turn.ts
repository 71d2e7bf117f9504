/** Waits until the throttle lets a call go, and tells the throttle what the service said of its limits. */
import { isRateLimited } from "../../errors/is-temporary.js";
import { readRateLimitReset, readRetryAfter } from "../../errors/retry-after.js";
import { readRateLimit } from "../../schemas/rate-limit.js";
import { log } from "../logger.js";
import type { TransportConfig } from "../transport-config.js";
import type { Throttle, ThrottleRequest } from "./throttle.js";

/** Resolves to whether the call had to wait. */
export async function waitForTurn(
  throttle: Throttle,
  request: Omit<ThrottleRequest, "onWait">,
  { logger, onThrottle }: Pick<TransportConfig, "logger" | "onThrottle">,
): Promise<boolean> {
  const { operation } = request;
  let waited = false;
  await throttle.acquire({
    ...request,
    onWait(waitMs) {
      waited = true;
      log(logger, "info", "notetaker: waiting for the rate limit", { operation, waitMs });
      onThrottle?.({ operation, waitMs });
    },
  });
  return waited;
}

/** Holds back what follows if the service says that the budget is spent. */
export async function reportLimits(
  throttle: Throttle,
  { operation, token }: Pick<ThrottleRequest, "operation" | "token">,
  response: Response | undefined,
  error: unknown,
): Promise<void> {
  if (response === undefined) return;
  const { headers } = response;
  const rateLimit = readRateLimit(headers);
  if (rateLimit?.remaining !== 0 && !isRateLimited(error)) return;
  const holdMs = readRetryAfter(headers) ?? readRateLimitReset(headers);
  if (holdMs === undefined || holdMs <= 0) return;
  await throttle.hold({ operation, token, limit: rateLimit?.limit, holdMs });
}
