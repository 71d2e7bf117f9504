import { UNAUTHORIZED_CODE } from "../assumptions.js";
import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 401, code `unauthorized`: the token is missing, wrong or expired. */
export class UnauthorizedError extends ApiError {
  declare readonly name: "UnauthorizedError";
}
brand(UnauthorizedError, "UnauthorizedError", { status: 401, code: UNAUTHORIZED_CODE });
