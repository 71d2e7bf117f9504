import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 403, code `forbidden`: on send bot, the usage limit is exceeded and the plan must be upgraded. */
export class ForbiddenError extends ApiError {
  static {
    brand(this, "ForbiddenError");
  }
  declare readonly name: "ForbiddenError";
}
