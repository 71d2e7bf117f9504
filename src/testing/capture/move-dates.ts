/** Moves all dates of a capture by the same time, so that the newest date is a fixed one. */
import { DAY_MS } from "../state/durations.js";

/** The newest date of every capture. An emulator without `now` starts later. */
const NEWEST_DATE = Date.UTC(2025, 4, 30, 17);

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Whether the text is a date or a timestamp. Other texts that `Date` can parse are not moved. */
export const isDateText = (text: string): boolean =>
  text.length <= 40 && (DATE.test(text) || TIMESTAMP.test(text)) && !Number.isNaN(Date.parse(text));

export class DateMover {
  #newest = Number.NEGATIVE_INFINITY;

  /** Collects a date. Every date has to be collected before the first is moved. */
  collect(text: string): void {
    if (!DATE.test(text)) this.#newest = Math.max(this.#newest, Date.parse(text));
  }

  /** The moved date, in the same form: a date stays a date. */
  move(text: string): string {
    if (this.#newest === Number.NEGATIVE_INFINITY) return new Date(NEWEST_DATE).toISOString().slice(0, text.length);
    const byMs = NEWEST_DATE - this.#newest;
    if (DATE.test(text)) {
      const days = Math.round(byMs / DAY_MS);
      return new Date(Date.parse(text) + days * DAY_MS).toISOString().slice(0, 10);
    }
    const moved = new Date(Date.parse(text) + byMs);
    const iso = moved.toISOString();
    const hasFraction = text.includes(".") || moved.getUTCMilliseconds() !== 0;
    return hasFraction ? iso : iso.replace(".000Z", "Z");
  }
}
