import { textOf } from "../json/text-of.js";

/** Seconds, rounded to the millisecond, as `00:00:04`; with a `mark` (`.` or `,`) as `00:00:04.250`. */
export function formatTimestamp(seconds: number, mark = ""): string {
  const milliseconds = Math.min(Math.round(Math.abs(seconds) * 1000), Number.MAX_VALUE);
  const part = (unit: number, wrapsAt: number, digits = 2) => {
    const value = Math.floor(milliseconds / unit) % wrapsAt;
    // A number of 10^21 or more would be written with an exponent; a bigint is not.
    return `${value < 1e21 ? value : BigInt(value)}`.padStart(digits, "0");
  };
  const clock = `${part(3_600_000, Number.POSITIVE_INFINITY)}:${part(60_000, 60)}:${part(1000, 60)}`;
  return (seconds < 0 && milliseconds ? "-" : "") + clock + (mark && mark + part(1, 1000, 3));
}

/**
 * Seconds as hours, minutes and seconds: `00:00:04`. A fraction of a second is left out. Above 99 hours the hours have
 * as many digits as they need (`100:00:00`); a negative time has a minus in front (`-00:00:04`).
 * @example
 * formatTime(segment.start_time); // "01:02:03"
 * @throws RangeError if `seconds` is not a finite number.
 */
export function formatTime(seconds: number): string {
  if (!Number.isFinite(seconds)) throw new RangeError(`seconds: expected a finite number, received ${textOf(seconds)}`);
  return formatTimestamp(seconds);
}
