import {
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  RETRY_AFTER_HEADER,
} from "../../assumptions.js";
import { HOUR_MS } from "../../async/timers.js";
import { type LimitName, RATE_LIMITS } from "../../endpoints/limits.js";
import type { EnforcedLimits } from "../options.js";
import type { InternalClock } from "../state/clock.js";
import type { ServiceResponse } from "./exchange.js";
import { refusal } from "./refusals.js";

/** Which limits an emulator enforces: `notetaker-sdk sync` reads one without limits without a pace. */
export const EMULATOR_LIMITS_HEADER = "x-emulator-limits";

interface CountedRequest {
  refusal: ServiceResponse | undefined;
  headers: Record<string, string>;
}

/** Counts a request against the enforced limits of its endpoint (API specification, "Limits"), in sliding windows. */
export function countUnderLimits(
  counted: Record<string, number[]>,
  limits: readonly LimitName[] = ["other"],
  clock: InternalClock,
  enforced: EnforcedLimits,
): CountedRequest {
  const now = clock.now();
  const rules = limits
    .flatMap((name) => RATE_LIMITS[name].map((rule) => ({ ...rule, key: `${name} ${rule.perMs}` })))
    .filter(({ source }) => enforced === "all" || enforced === source);
  if (rules.length === 0) return { refusal: undefined, headers: { [EMULATOR_LIMITS_HEADER]: enforced } };
  const states = rules.map(({ key, requests, perMs }) => {
    const times = (counted[key] ?? []).filter((at) => at <= now && at > now - perMs).slice(-requests);
    counted[key] = times;
    return { requests, perMs, times, isFull: times.length >= requests };
  });
  const full = states.filter(({ isFull }) => isFull);
  if (full.length === 0) for (const { times } of states) times.push(now);
  const resetAt = ({ times, perMs }: (typeof states)[number]) => (times[0] ?? now) + perMs;
  const remaining = ({ requests, times }: (typeof states)[number]) => Math.max(0, requests - times.length);
  // The full limit that allows a request last; if none is full, the one with the fewest remaining requests.
  const reported =
    full.length > 0
      ? full.reduce((a, b) => (resetAt(b) > resetAt(a) ? b : a))
      : states.reduce((a, b) => (remaining(b) < remaining(a) ? b : a));
  const reset = clock.realTimeOf(resetAt(reported));
  const headers: Record<string, string> = {
    [EMULATOR_LIMITS_HEADER]: enforced,
    [RATE_LIMIT_HEADER]: String(reported.requests),
    [RATE_LIMIT_REMAINING_HEADER]: String(remaining(reported)),
    [RATE_LIMIT_RESET_HEADER]: String(Math.ceil(reset / 1000)),
  };
  if (full.length === 0) return { refusal: undefined, headers };
  headers[RETRY_AFTER_HEADER] = String(Math.max(1, Math.ceil((reset - clock.realTimeOf(now)) / 1000)));
  const per = reported.perMs === HOUR_MS ? "hour" : "minute";
  const message = `rate limit exceeded: at most ${reported.requests} requests per ${per}`;
  return { refusal: refusal(429, message), headers };
}
