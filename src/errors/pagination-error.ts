import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** `has_more` is true, but `next_cursor` is missing or repeats. Continuing would drop items or never end. */
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
