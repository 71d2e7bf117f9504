import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 400, code `bad_request`: on send bot a link that is missing, too long, malformed or of no supported service, or an account without a calendar. */
export class BadRequestError extends ApiError {
  static {
    brand(this, "BadRequestError");
  }
  declare readonly name: "BadRequestError";
}
