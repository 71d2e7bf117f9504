import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A client (or receiver, or relay) that cannot be right: thrown where it is constructed. */
export class ConfigurationError extends NotetakerError {
  static {
    brand(this, "ConfigurationError");
  }
  declare readonly name: "ConfigurationError";

  constructor(message: string) {
    super(message, { outcome: "not_sent" });
  }
}
