import { NOT_FOUND_CODE } from "../assumptions.js";
import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 404, code `not_found`: the resource does not exist, or this account has no access to it. */
export class NotFoundError extends ApiError {
  declare readonly name: "NotFoundError";
}
brand(NotFoundError, "NotFoundError", { status: 404, code: NOT_FOUND_CODE });
