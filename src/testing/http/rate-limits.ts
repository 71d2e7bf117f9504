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
import type { RateWindow } from "../state/records.js";
import type { HeldLimits } from "../state/settings.js";
import { errorResponse } from "./error-response.js";
import type { ServiceResponse } from "./exchange.js";

interface Limit {
  name: string;
  requests: number;
  perMs: number;
  /**
   * Whether the API specification shows the limit. The other limits are reported in the headers, but enforced only with
   * `limits: "all"`.
   */
  documented: boolean;
}

export type LimitGroup = "sendBot" | "upload" | "createWebhook" | "other";

const OTHER: Limit = { name: "other.minute", requests: OTHER_PER_MINUTE, perMs: MINUTE_MS, documented: false };

/** The limits of each group of endpoints. */
const LIMITS: Readonly<Record<LimitGroup, readonly Limit[]>> = {
  sendBot: [
    { name: "sendBot.minute", requests: SEND_BOT_PER_MINUTE, perMs: MINUTE_MS, documented: true },
    { name: "sendBot.hour", requests: SEND_BOT_PER_HOUR, perMs: HOUR_MS, documented: true },
  ],
  upload: [{ name: "upload.minute", requests: UPLOAD_PER_MINUTE, perMs: MINUTE_MS, documented: true }],
  createWebhook: [
    { name: "createWebhook.minute", requests: CREATE_WEBHOOK_PER_MINUTE, perMs: MINUTE_MS, documented: false },
    OTHER,
  ],
  other: [OTHER],
};

interface OpenWindow {
  limit: Limit;
  window: RateWindow;
  resetAt: number;
}

interface CountedRequest {
  /** The 429, if the request exceeds a limit. */
  refusal: ServiceResponse | undefined;
  headers: Record<string, string>;
}

/** Counts a request against the limits of its group. */
export function countRequest(
  windows: Record<string, RateWindow>,
  group: LimitGroup,
  now: number,
  enforced: HeldLimits,
): CountedRequest {
  const open = openWindows(windows, group, now);
  const full = open.filter(({ limit, window }) => isEnforced(limit, enforced) && window.count >= limit.requests);
  if (full.length === 0) for (const { window } of open) window.count += 1;
  const reportedWindow = windowToReport(open, full);
  const headers = rateLimitHeaders(reportedWindow);
  if (full.length === 0) return { refusal: undefined, headers };

  const { limit, resetAt } = reportedWindow;
  headers[RETRY_AFTER_HEADER] = String(Math.max(1, Math.ceil((resetAt - now) / 1000)));
  const per = limit.perMs === HOUR_MS ? "hour" : "minute";
  return { refusal: errorResponse(429, `rate limit exceeded: at most ${limit.requests} requests per ${per}`), headers };
}

const isEnforced = (limit: Limit, enforced: HeldLimits) =>
  enforced === "all" || (enforced === "specified" && limit.documented);

/** The windows of a group at `now`; windows that have ended are replaced. */
function openWindows(windows: Record<string, RateWindow>, group: LimitGroup, now: number): OpenWindow[] {
  return LIMITS[group].map((limit) => {
    let window = windows[limit.name];
    if (window === undefined || now >= window.startedAt + limit.perMs || now < window.startedAt) {
      window = { startedAt: now, count: 0 };
      windows[limit.name] = window;
    }
    return { limit, window, resetAt: window.startedAt + limit.perMs };
  });
}

const remaining = ({ limit, window }: OpenWindow) => limit.requests - window.count;

/** The full window that ends last; if no window is full, the one with the fewest remaining requests. */
function windowToReport(open: readonly OpenWindow[], full: readonly OpenWindow[]): OpenWindow {
  return full.length > 0
    ? full.reduce((a, b) => (b.resetAt > a.resetAt ? b : a))
    : open.reduce((a, b) => (remaining(b) < remaining(a) ? b : a));
}

const rateLimitHeaders = (reported: OpenWindow): Record<string, string> => ({
  [RATE_LIMIT_HEADER]: String(reported.limit.requests),
  [RATE_LIMIT_REMAINING_HEADER]: String(Math.max(0, remaining(reported))),
  [RATE_LIMIT_RESET_HEADER]: String(Math.ceil(reported.resetAt / 1000)),
});
