import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/**
 * A list cannot be continued, or has more items than `toArray` allows. For example, `has_more` is true, but
 * `next_cursor` is missing or repeats an earlier one: to continue would drop items or never end.
 */
export class PaginationError extends NotetakerError {
  declare readonly name: "PaginationError";

  constructor(message: string, fields?: ErrorInit);
  constructor(fields?: ErrorInit);
  constructor(...args: ErrorArguments<ErrorInit>) {
    const { message, fields } = readArguments(args, () => "The list cannot be continued");
    super(message, { outcome: "accepted", ...fields });
  }
}
brand(PaginationError, "PaginationError");
