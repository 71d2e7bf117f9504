/** Timestamps and calendar dates, as the service and its callers write them. */

/** The form in which most timestamps come. `Date` reads each of them, and takes four times as long to say so. */
const USUAL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Whether `text` is a moment that `Date` can read. The interface says ISO 8601 and no more, so nothing more is asked.
 */
export const isTimestamp = (text: string): boolean => USUAL_FORM.test(text) || !Number.isNaN(Date.parse(text));

/** Whether `text` is a day of the calendar of the form YYYY-MM-DD. */
export const isCalendarDate = (text: string): boolean =>
  // A day that does not exist is read as another day, or not at all.
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
