/** Seconds as `00:00:04`; with a `mark`, to the millisecond after it: `00:00:04.250`. */
export function clock(seconds: number, mark = ""): string {
  const milliseconds = Math.round(seconds * 1000);
  const two = (value: number) => `${value}`.padStart(2, "0");
  const whole = Math.floor(milliseconds / 1000);
  const time = [whole / 3600, (whole / 60) % 60, whole % 60].map((value) => two(Math.floor(value))).join(":");
  return (mark && time + mark + `${milliseconds % 1000}`.padStart(3, "0")) || time;
}
