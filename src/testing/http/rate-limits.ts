/**
 * Counts requests against the rate limits (API specification, "Limits"). The headers, and the limits that the API
 * specification does not show, are documented.
 */

import {
  CREATE_WEBHOOK_PER_MINUTE,
  OTHER_PER_MINUTE,
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  RETRY_AFTER_HEADER,
} from "../../assumptions.js";
import { HOUR_MS, MINUTE_MS } from "../../async/timers.js";
import { SEND_BOT_PER_HOUR, SEND_BOT_PER_MINUTE, UPLOAD_PER_MINUTE } from "../../schemas/rate-limit.js";
import type { Endpoint } from "../../transport/endpoint.js";
import type { HeldLimits } from "../options.js";
import type { RateWindow } from "../state/state.js";
import { errorResponse, type ServiceResponse } from "./exchange.js";

interface Limit {
  /** The name of its window. */
  name: string;
  requests: number;
  perMs: number;
  /** Whether the API specification shows the limit. The others are enforced only with `limits: "all"`. */
  isSpecified: boolean;
}

const OTHER: Limit = { name: "other", requests: OTHER_PER_MINUTE, perMs: MINUTE_MS, isSpecified: false };

/** The limits of each group of endpoints. */
const LIMITS: Readonly<Record<NonNullable<Endpoint["limit"]>, readonly Limit[]>> = {
  sendBot: [
    { name: "bots by minute", requests: SEND_BOT_PER_MINUTE, perMs: MINUTE_MS, isSpecified: true },
    { name: "bots by hour", requests: SEND_BOT_PER_HOUR, perMs: HOUR_MS, isSpecified: true },
  ],
  upload: [{ name: "uploads", requests: UPLOAD_PER_MINUTE, perMs: MINUTE_MS, isSpecified: true }],
  createWebhook: [
    { name: "new webhooks", requests: CREATE_WEBHOOK_PER_MINUTE, perMs: MINUTE_MS, isSpecified: false },
    OTHER,
  ],
  other: [OTHER],
};

interface CountedRequest {
  /** The 429, if the request exceeds a limit. */
  refusal: ServiceResponse | undefined;
  headers: Record<string, string>;
}

/** Counts a request against the limits of its group. A window that has ended is replaced by a new one. */
export function countRequest(
  windows: Record<string, RateWindow>,
  group: Endpoint["limit"] = "other",
  now: number,
  enforced: HeldLimits,
): CountedRequest {
  const states = LIMITS[group].map(({ name, requests, perMs, isSpecified }) => {
    const known = windows[name];
    const isOpen = known !== undefined && now < known.startedAt + perMs && now >= known.startedAt;
    const window = isOpen ? known : { startedAt: now, count: 0 };
    windows[name] = window;
    const isEnforced = enforced === "all" || (enforced === "specified" && isSpecified);
    const isFull = isEnforced && window.count >= requests;
    return { requests, perMs, window, isFull, resetAt: window.startedAt + perMs };
  });
  const full = states.filter(({ isFull }) => isFull);
  if (full.length === 0) for (const { window } of states) window.count += 1;
  const remaining = ({ requests, window }: (typeof states)[number]) => requests - window.count;
  // The full window that ends last; if no window is full, the one with the fewest remaining requests.
  const reported =
    full.length > 0
      ? full.reduce((a, b) => (b.resetAt > a.resetAt ? b : a))
      : states.reduce((a, b) => (remaining(b) < remaining(a) ? b : a));
  const headers: Record<string, string> = {
    [RATE_LIMIT_HEADER]: String(reported.requests),
    [RATE_LIMIT_REMAINING_HEADER]: String(Math.max(0, remaining(reported))),
    [RATE_LIMIT_RESET_HEADER]: String(Math.ceil(reported.resetAt / 1000)),
  };
  if (full.length === 0) return { refusal: undefined, headers };
  headers[RETRY_AFTER_HEADER] = String(Math.max(1, Math.ceil((reported.resetAt - now) / 1000)));
  const per = reported.perMs === HOUR_MS ? "hour" : "minute";
  const message = `rate limit exceeded: at most ${reported.requests} requests per ${per}`;
  return { refusal: errorResponse(429, message), headers };
}
