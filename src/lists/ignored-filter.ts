/** What happens if the service ignores the filter of a list, so that it returns other items. */
import { PaginationError } from "../errors/call-errors.js";

/** How many further pages are read in search of an item. */
export const MAX_SEARCHED_PAGES = 20;

/** The error of a search for an item by its id. `filter` is the name of the query parameter. */
export const ignoredFilterError = (operation: string, id: string, filter: string, attempts: number) =>
  new PaginationError({
    message:
      `${operation}: the service ignores the filter ${filter} of its list, and ${id} was not found on its first pages; ` +
      "npx notetaker-sdk doctor checks the name of the filter; the client's option assumptions replaces it",
    attempts,
  });
