import * as z from "zod/mini";
import { HOUR_MS } from "../async/timers.js";
import { type LimitName, RATE_LIMITS } from "../endpoints/limits.js";
import { numberOf, requestObject } from "../schemas/primitives.js";
import type { Throttle } from "./throttle.js";

/** Limits that replace the service's own: for an account with another plan, or one that another program also uses. */
export interface ThrottleLimits {
  /** `meetings.sendBot`. Default: 10 a minute and 60 an hour (API specification, "Limits"). */
  readonly sendBot?:
    | {
        /** The maximum number of calls in any minute. */
        readonly perMinute?: number | undefined;
        /** The maximum number of calls in any hour. */
        readonly perHour?: number | undefined;
      }
    | undefined;
  /** `meetings.upload`. Default: 10 a minute (API specification, "Limits"). */
  readonly upload?: Omit<NonNullable<ThrottleLimits["sendBot"]>, "perHour"> | undefined;
  /** `webhooks.create`. Default: 20 a minute (documented). */
  readonly createWebhook?: ThrottleLimits["upload"];
  /** All other calls together, `webhooks.create` included. Default: 60 a minute (documented). */
  readonly other?: ThrottleLimits["upload"];
}

/** At most `max` calls in any interval of `windowMs` milliseconds. */
export interface LimitWindow {
  readonly windowMs: number;
  readonly max: number;
}

export type WindowsByLimit = Readonly<Record<LimitName, readonly LimitWindow[]>>;

/** Added to each window: two requests that are sent a window apart may arrive closer together. */
const ARRIVAL_MARGIN_MS = 300;

export function windowsOf(limits: ThrottleLimits = {}): WindowsByLimit {
  const windows = (name: LimitName, own: ThrottleLimits["sendBot"] = limits[name]) =>
    RATE_LIMITS[name].map(({ requests, perMs }) => ({
      windowMs: perMs + ARRIVAL_MARGIN_MS,
      max: (perMs === HOUR_MS ? own?.perHour : own?.perMinute) ?? requests,
    }));
  return {
    sendBot: windows("sendBot"),
    upload: windows("upload"),
    createWebhook: windows("createWebhook"),
    other: windows("other"),
  };
}

export const isThrottle = (value: unknown): value is Throttle =>
  typeof (value as Partial<Throttle> | null | undefined)?.acquire === "function" &&
  typeof (value as Partial<Throttle>).pause === "function";

const limitCount = z.optional(
  numberOf((value) => Number.isSafeInteger(value) && value >= 1, "an integer of 1 or more", [1]),
);
const onlyPerMinute = z.optional(requestObject<NonNullable<ThrottleLimits["upload"]>>({ perMinute: limitCount }));

export const throttleLimitsSchema = requestObject<ThrottleLimits>({
  sendBot: z.optional(
    requestObject<NonNullable<ThrottleLimits["sendBot"]>>({ perMinute: limitCount, perHour: limitCount }),
  ),
  upload: onlyPerMinute,
  createWebhook: onlyPerMinute,
  other: onlyPerMinute,
});

/** A zod union would give less precise messages, and would add a kilobyte to bundles. */
export const throttleSchema = z.unknown().check(({ value, issues }) => {
  if (typeof value === "boolean" || isThrottle(value)) return;
  const { error } = z.safeParse(throttleLimitsSchema, value);
  for (const issue of error?.issues ?? []) issues.push(issue as z.core.$ZodRawIssue);
});
