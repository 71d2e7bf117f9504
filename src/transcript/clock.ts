/** Seconds as `00:00:04`; with a `mark`, to the millisecond after it: `00:00:04.250`. */
export function clock(seconds: number, mark = ""): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, wrapsAt: number, digits = 2) =>
    `${Math.floor(milliseconds / unit) % wrapsAt}`.padStart(digits, "0");
  const whole = `${part(3_600_000, Number.POSITIVE_INFINITY)}:${part(60_000, 60)}:${part(1000, 60)}`;
  return mark ? whole + mark + part(1, 1000, 3) : whole;
}
