import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** Invalid options of a client, receiver, relay or subscription: thrown when it is constructed. */
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
