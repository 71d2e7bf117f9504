import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The library was set up or used in a wrong way, for example with an invalid option of a client or receiver. */
export class ConfigurationError extends NotetakerError {
  declare readonly name: "ConfigurationError";

  constructor(message: string, fields?: ErrorInit);
  constructor(fields?: ErrorInit);
  constructor(...args: ErrorArguments<ErrorInit>) {
    const { message, fields } = readArguments(args, () => "The options are invalid");
    super(message, { outcome: "not_sent", ...fields });
  }
}
brand(ConfigurationError, "ConfigurationError");
