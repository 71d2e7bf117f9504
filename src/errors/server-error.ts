import { SERVER_ERROR_CODE } from "../assumptions.js";
import { ApiError } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 500 and above: the service may or may not have acted (`outcome` is `unknown`). */
export class ServerError extends ApiError {
  declare readonly name: "ServerError";
}
brand(ServerError, "ServerError", { status: 500, code: SERVER_ERROR_CODE });
