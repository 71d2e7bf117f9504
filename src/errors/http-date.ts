/** Reads a date of an HTTP header, in each of the three forms of RFC 9110 (section 5.6.7). All of them are GMT. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  /^[a-z]{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) (?:gmt|utc|\+0000)$/i,
  // Sunday, 06-Nov-94 08:49:37 GMT
  /^[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) gmt$/i,
  // Sun Nov  6 08:49:37 1994
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i,
];

/** A year of two digits that would be more than 50 years ahead is one of the past (RFC 9110). */
function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

/** Milliseconds since the beginning of the day. A leap second (60) is the first second of the next minute. */
function timeOfDay(time: string): number | undefined {
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

/** The beginning of a day in milliseconds since 1970, or `undefined` for a day that does not exist. */
function startOfDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** The date in milliseconds since 1970, or `undefined` if `value` is not an HTTP date. */
export function parseHttpDate(value: string | null): number | undefined {
  const text = value?.trim() ?? "";
  for (const form of FORMS) {
    const { day = "", month = "", year = "", time = "" } = form.exec(text)?.groups ?? {};
    if (day === "") continue;
    const start = startOfDay(fullYear(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
    const offset = timeOfDay(time);
    return start === undefined || offset === undefined ? undefined : start + offset;
  }
  return undefined;
}
