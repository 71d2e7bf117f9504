/** Interface, "Limits"; the headers, and the limits beyond the interface's own, are level A. */
import {
  RATE_LIMIT_HEADER,
  RATE_LIMIT_REMAINING_HEADER,
  RATE_LIMIT_RESET_HEADER,
  RETRY_AFTER_HEADER,
} from "../../unshown.js";
import type { RateWindow } from "../state/records.js";
import type { HeldLimits } from "../state/settings.js";
import { errorResponse } from "./error-response.js";
import type { ServiceResponse } from "./exchange.js";

interface Limit {
  name: string;
  requests: number;
  perMs: number;
  /** The interface gives it. Those it does not give are told in headers, and held only when all limits are. */
  shown: boolean;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The limits of each group of endpoints. */
const LIMITS = {
  sendBot: [
    { name: "sendBot.minute", requests: 10, perMs: MINUTE, shown: true },
    { name: "sendBot.hour", requests: 60, perMs: HOUR, shown: true },
  ],
  upload: [{ name: "upload.minute", requests: 10, perMs: MINUTE, shown: true }],
  createWebhook: [{ name: "createWebhook.minute", requests: 20, perMs: MINUTE, shown: false }],
  other: [{ name: "other.minute", requests: 60, perMs: MINUTE, shown: false }],
} as const satisfies Record<string, readonly Limit[]>;

export type LimitGroup = keyof typeof LIMITS;

export interface Admission {
  /** The 429, when the request is one too many. */
  refusal: ServiceResponse | undefined;
  headers: Record<string, string>;
}

/** Counts a request against its group's limits. */
export function countRequest(
  windows: Record<string, RateWindow>,
  group: LimitGroup,
  now: number,
  held: HeldLimits,
): Admission {
  const limits: readonly Limit[] = LIMITS[group];
  const open = limits.map((limit) => {
    let window = windows[limit.name];
    if (window === undefined || now >= window.startedAt + limit.perMs || now < window.startedAt) {
      window = { startedAt: now, count: 0 };
      windows[limit.name] = window;
    }
    return { limit, window, resetAt: window.startedAt + limit.perMs };
  });
  const isHeld = (limit: Limit) => held === "all" || (held === "interface" && limit.shown);
  const full = open.filter(({ limit, window }) => isHeld(limit) && window.count >= limit.requests);
  if (full.length === 0) for (const { window } of open) window.count += 1;

  // Of several windows the headers tell the one that holds longest, or else the one with the least left.
  const told =
    full.length > 0
      ? full.reduce((a, b) => (b.resetAt > a.resetAt ? b : a))
      : open.reduce((a, b) => (b.limit.requests - b.window.count < a.limit.requests - a.window.count ? b : a));
  const headers: Record<string, string> = {
    [RATE_LIMIT_HEADER]: String(told.limit.requests),
    [RATE_LIMIT_REMAINING_HEADER]: String(Math.max(0, told.limit.requests - told.window.count)),
    [RATE_LIMIT_RESET_HEADER]: String(Math.ceil(told.resetAt / 1000)),
  };
  if (full.length === 0) return { refusal: undefined, headers };

  headers[RETRY_AFTER_HEADER] = String(Math.max(1, Math.ceil((told.resetAt - now) / 1000)));
  const per = told.limit.perMs === HOUR ? "hour" : "minute";
  const message = `rate limit exceeded: at most ${told.limit.requests} requests per ${per}`;
  return { refusal: errorResponse(429, message), headers };
}
