/** Checks timestamps and calendar dates. */

/**
 * The usual form of a timestamp. `Date` accepts every timestamp of this form, but takes four times as long to check it.
 */
const USUAL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Whether `text` is a timestamp that `Date` can read. The API specification says only "ISO 8601", so no stricter form
 * is required.
 */
export const isTimestamp = (text: string): boolean => USUAL_FORM.test(text) || !Number.isNaN(Date.parse(text));

/** Whether `text` is an existing calendar date of the form YYYY-MM-DD. */
export const isCalendarDate = (text: string): boolean =>
  // `Date` reads a day that does not exist as another day, or as invalid.
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
