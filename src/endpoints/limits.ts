/** The rate limits of an account. A request is counted under the `limits` of its endpoint. */
import { CREATE_WEBHOOK_PER_MINUTE, OTHER_PER_MINUTE } from "../assumptions.js";
import { HOUR_MS, MINUTE_MS } from "../async/timers.js";

/** The limits of an account, by the calls that they count. `other` counts all calls without a limit of their own. */
export type LimitName = "sendBot" | "upload" | "createWebhook" | "other";

/** The limits that count an endpoint's requests, its own first. They are here so that a throttle needs no schema. */
const LIMITED: Readonly<Record<string, readonly LimitName[]>> = {
  "meetings.sendBot": ["sendBot"],
  "meetings.upload": ["upload"],
  "webhooks.create": ["createWebhook", "other"],
};

export const limitsCounting = (operation: string): readonly LimitName[] => LIMITED[operation] ?? ["other"];

/** At most so many requests in any period of this length. */
interface RateLimitRule {
  readonly requests: number;
  readonly perMs: number;
  /** How the limit is known: see "Limits" in the API specification, which does not show all of them. */
  readonly source: "specified" | "documented";
}

export const RATE_LIMITS: Readonly<Record<LimitName, readonly RateLimitRule[]>> = {
  sendBot: [
    { requests: 10, perMs: MINUTE_MS, source: "specified" },
    { requests: 60, perMs: HOUR_MS, source: "specified" },
  ],
  upload: [{ requests: 10, perMs: MINUTE_MS, source: "specified" }],
  createWebhook: [{ requests: CREATE_WEBHOOK_PER_MINUTE, perMs: MINUTE_MS, source: "documented" }],
  other: [{ requests: OTHER_PER_MINUTE, perMs: MINUTE_MS, source: "documented" }],
};
