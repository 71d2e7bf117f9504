/** Timestamps and calendar dates, as the service and its callers write them. */

/**
 * Whether `text` is a moment that `Date` can read. The interface says ISO 8601 and no more, so nothing more is asked.
 */
export const isTimestamp = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** Whether `text` is a day of the calendar of the form YYYY-MM-DD. */
export const isCalendarDate = (text: string): boolean =>
  // A day that does not exist is read as another day, or not at all.
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
