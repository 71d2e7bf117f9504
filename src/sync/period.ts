/** The options that `syncMeetings` and a walk have in common. */

import * as z from "zod/mini";
import { DAY_MS, HOUR_MS } from "../async/timers.js";
import { type Issue, quoted } from "../checks/format-issues.js";
import { date, type Infer, numberOf, parseTimestamp } from "../schemas/primitives.js";
import { requestOptionsShape } from "../transport/request-options.js";

const isDay = (value: unknown): value is string => z.safeParse(date(), value).success;
const isMoment = (value: unknown) => (value instanceof Date ? !Number.isNaN(value.getTime()) : isDay(value));
const moment = () =>
  z.optional(
    z.custom<string | Date>(isMoment, {
      error: ({ input }) => `expected a Date, or a calendar date of the form YYYY-MM-DD, received ${quoted(input)}`,
    }),
  );
const wholeNumber = () =>
  z.optional(numberOf((value) => Number.isSafeInteger(value) && value >= 1, "an integer of 1 or more", [1]));

const periodShape = {
  /**
   * The earliest start time: a `Date`, exact to the millisecond, or a day `YYYY-MM-DD` in the time zone of the service.
   * Default: from the first meeting.
   */
  since: moment(),
  /**
   * The latest start time: a `Date`, exact to the millisecond, or a day `YYYY-MM-DD`, which is included. Default: to
   * the latest meeting.
   */
  until: moment(),
};

/** Which meetings to read, by their start time. */
export interface PeriodOptions extends Infer<typeof periodShape> {}

const readShape = {
  /** How many requests may be in flight at once. Default: 4. */
  concurrency: wholeNumber(),
  /**
   * How many requests may start in any minute. `syncMeetings` sends a fifth of them in ten seconds at most. The `throttle`
   * of the client applies as well. Default: 40, which leaves a third of the account's limit to the rest of your application.
   */
  requestsPerMinute: wholeNumber(),
  /** Ends the run or the walk with the signal's reason. */
  signal: requestOptionsShape.signal,
};

/** How a service is read, whatever becomes of its meetings. */
export interface ReadOptions extends PeriodOptions, Infer<typeof readShape> {}

export const readOptionsShape = { ...periodShape, ...readShape };

export const readLimits = ({ concurrency = 4, requestsPerMinute = 40 }: ReadOptions) => ({
  concurrency,
  requestsPerMinute,
});

/** The period that checked options describe. */
export class Period {
  /**
   * `YYYY-MM-DD`: the first day to request. For a `Date`, this is the day before, because the service may use another
   * time zone.
   */
  readonly startDate: string | undefined;
  /** `YYYY-MM-DD`: the last day to request. For a `Date`, this is the day after. */
  readonly endDate: string | undefined;
  readonly #until: PeriodOptions["until"];
  readonly #firstMs: number;
  readonly #lastMs: number;

  constructor({ since, until }: PeriodOptions) {
    this.#until = until;
    this.startDate = since instanceof Date ? dayOf(since.getTime() - DAY_MS) : since;
    this.endDate = until instanceof Date ? dayOf(until.getTime() + DAY_MS) : until;
    // A day begins where it begins first, and ends where it ends last: a service may ignore the filters.
    this.#firstMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "") - 14 * HOUR_MS;
    this.#lastMs = until instanceof Date ? until.getTime() : Date.parse(until ?? "") + 36 * HOUR_MS;
  }

  /** The part of the period that begins at this time or later; `undefined`: there is none. */
  from(ms: number): Period | undefined {
    if (this.#lastMs < ms) return undefined;
    return this.#firstMs >= ms ? this : new Period({ since: new Date(ms), until: this.#until });
  }

  /**
   * Whether a listed meeting is in the period. A meeting without a readable time counts as in the period, so that no
   * meeting is left out silently.
   */
  includes(startTime: unknown): boolean {
    const startMs = typeof startTime === "string" ? parseTimestamp(startTime) : Number.NaN;
    // Without a limit, it is compared with `NaN`.
    return !(startMs < this.#firstMs || startMs > this.#lastMs);
  }
}

/** The issue with a period whose end is before its beginning. */
export function periodIssues({ since, until }: PeriodOptions): Issue[] {
  if (since === undefined || until === undefined) return [];
  const first = since instanceof Date ? since.getTime() : Date.parse(since);
  const last = until instanceof Date ? until.getTime() : Date.parse(until) + DAY_MS - 1;
  if (last >= first) return [];
  const text = (moment: string | Date) => (moment instanceof Date ? moment.toISOString() : moment);
  const message = `expected ${text(since)} (since) or later, received ${text(until)}`;
  return [{ path: "until", code: "invalid", message }];
}

/** The UTC day, limited to the years 0001 to 9999. */
export function dayOf(ms: number): string {
  const kept = Math.min(Math.max(ms, Date.parse("0001-01-01")), Date.parse("9999-12-31"));
  return new Date(kept).toISOString().slice(0, 10);
}
