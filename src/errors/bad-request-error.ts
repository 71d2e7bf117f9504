import { BAD_REQUEST_CODE } from "../assumptions.js";
import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/**
 * Status 400, code `bad_request`. On send bot: the link is missing, too long or malformed, the conference service is
 * not supported, or the account has no calendar.
 */
export class BadRequestError extends ApiError {
  declare readonly name: "BadRequestError";
}
brand(BadRequestError, "BadRequestError", { status: 400, code: BAD_REQUEST_CODE });
