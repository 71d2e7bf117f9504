/**
 * Reads the date of an HTTP header, such as `Date` or `Retry-After`, in each of the three forms of RFC 9110 (section
 * 5.6.7). All three are in GMT.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Sun, 06 Nov 1994 08:49:37 GMT` or `Sunday, 06-Nov-94 08:49:37 GMT` */
const FORM = /^[a-z]{3,9}, ([ \d]\d)[ -]([a-z]{3})[ -](\d\d(?:\d\d)?) (\d\d):(\d\d):(\d\d) (?:gmt|utc|\+0000)$/i;
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME_FORM = /^([a-z]{3}) ([a-z]{3}) ([ \d]\d) (\S+) (\d{4})$/i;

/** A year of two digits that would be more than 50 years in the future means a year in the past (RFC 9110). */
function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

/** The date in milliseconds since 1970, or `undefined` if `value` is not an HTTP date. */
export function parseHttpDate(value: string | null): number | undefined {
  const text = (value ?? "").replace(ASCTIME_FORM, "$1, $3 $2 $5 $4 GMT");
  const [, day, monthName = "", year = "", ...time] = FORM.exec(text) ?? [];
  const month = MONTHS.indexOf(monthName.toLowerCase());
  const start = new Date(Date.UTC(fullYear(year), month, Number(day)));
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  // `Date` turns 31 February into another day. A leap second (60) is the first second of the next minute.
  if (start.getUTCMonth() !== month || hour > 23 || minute > 59 || second > 60) return undefined;
  return start.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
}
