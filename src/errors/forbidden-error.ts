import { FORBIDDEN_CODE } from "../assumptions.js";
import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/**
 * Status 403, code `forbidden`: this account may not do that. On send bot: the usage limit is exceeded and the plan
 * must be upgraded.
 */
export class ForbiddenError extends ApiError {
  declare readonly name: "ForbiddenError";
}
brand(ForbiddenError, "ForbiddenError", { status: 403, code: FORBIDDEN_CODE });
