import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 401, code `unauthorized`: authentication required. */
export class UnauthorizedError extends ApiError {
  static {
    brand(this, "UnauthorizedError");
  }
  declare readonly name: "UnauthorizedError";
}
