/** `since` and `until`: what is requested of the meeting list, and which of its meetings are within. */

import * as z from "zod/mini";
import type { Issue } from "../../schemas/format-issues.js";
import { custom, date } from "../../schemas/primitives.js";

const DAY_MS = 86_400_000;

/** Which meetings to read, by the time when they started. */
export interface PeriodOptions {
  /**
   * Only meetings that started then or later: a `Date`, to the millisecond, or a day `YYYY-MM-DD` as the service counts
   * days. Default: from the first meeting.
   */
  since?: string | Date | undefined;
  /**
   * Only meetings that started then or earlier: a `Date`, to the millisecond, or a day `YYYY-MM-DD`, which is included.
   * Default: to the latest meeting.
   */
  until?: string | Date | undefined;
}

const isDay = (value: unknown): value is string => z.safeParse(date(), value).success;
const isMoment = (value: unknown) => (value instanceof Date ? !Number.isNaN(value.getTime()) : isDay(value));

export const periodShape = {
  since: z.optional(custom(isMoment, "a Date, or a calendar date of the form YYYY-MM-DD")),
  until: z.optional(custom(isMoment, "a Date, or a calendar date of the form YYYY-MM-DD")),
};

/** A period of checked options. */
export class Period {
  /**
   * `YYYY-MM-DD`: the first day to request. For a `Date`, this is the day before, since the service may use another
   * time zone.
   */
  readonly startDate: string | undefined;
  /** `YYYY-MM-DD`: the last day to request. */
  readonly endDate: string | undefined;
  readonly #firstMs: number;
  readonly #lastMs: number;

  constructor({ since, until }: PeriodOptions) {
    this.startDate = since instanceof Date ? dayOf(since.getTime() - DAY_MS) : since;
    this.endDate = until instanceof Date ? dayOf(until.getTime() + DAY_MS) : until;
    this.#firstMs = since instanceof Date ? since.getTime() : Number.NEGATIVE_INFINITY;
    this.#lastMs = until instanceof Date ? until.getTime() : Number.POSITIVE_INFINITY;
  }

  /**
   * Whether a listed meeting is within the period. A meeting without a readable time is: nothing is left out silently.
   */
  includes(startTime: unknown): boolean {
    const startMs = typeof startTime === "string" ? Date.parse(startTime) : Number.NaN;
    return Number.isNaN(startMs) || (startMs >= this.#firstMs && startMs <= this.#lastMs);
  }

  /** Whether the service had to list a meeting with this start time, in whatever time zone it counts days. */
  surelyIncludes(startTime: string): boolean {
    const startMs = Date.parse(startTime);
    if (Number.isNaN(startMs)) return this.startDate === undefined && this.endDate === undefined;
    const first = this.startDate === undefined ? Number.NEGATIVE_INFINITY : Date.parse(this.startDate) + DAY_MS;
    const last = this.endDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(this.endDate);
    return startMs >= Math.max(first, this.#firstMs) && startMs <= Math.min(last, this.#lastMs);
  }
}

/** What is wrong with a period whose end is before its beginning. */
export function periodIssues({ since, until }: PeriodOptions): Issue[] {
  if (since === undefined || until === undefined) return [];
  const first = since instanceof Date ? since.getTime() : Date.parse(since);
  const last = until instanceof Date ? until.getTime() : Date.parse(until) + DAY_MS - 1;
  if (last >= first) return [];
  return [{ path: "until", message: `expected ${textOf(since)} (since) or later, received ${textOf(until)}` }];
}

const textOf = (moment: string | Date) => (moment instanceof Date ? moment.toISOString() : moment);

/** The UTC day, kept within the years that a calendar date of four digits can name. */
function dayOf(ms: number): string {
  const kept = Math.min(Math.max(ms, Date.parse("0001-01-01")), Date.parse("9999-12-31"));
  return new Date(kept).toISOString().slice(0, 10);
}
