/** Seconds as `00:00:04`; with a `mark`, to the millisecond after it: `00:00:04.250`. */
export function clock(seconds: number, mark = ""): string {
  const milliseconds = Math.round(seconds * 1000);
  const hours = `${Math.floor(milliseconds / 3_600_000)}`.padStart(2, "0");
  const rest = new Date(milliseconds).toISOString().slice(-11, mark ? -1 : -5);
  return hours + rest.replace(".", mark);
}
