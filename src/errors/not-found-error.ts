import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 404, code `not_found`: resource not found. */
export class NotFoundError extends ApiError {
  static {
    brand(this, "NotFoundError");
  }
  declare readonly name: "NotFoundError";
}
