import type { ValidationIssue } from "../schemas/error-envelope.js";
import { ApiError, type ApiErrorInit } from "./api-error.js";
import { brand } from "./brand.js";

/** A validation envelope: the service found the request invalid, and says where. */
export class InvalidRequestError extends ApiError {
  static {
    brand(this, "InvalidRequestError");
  }
  declare readonly name: "InvalidRequestError";
  /** Each `detail` of the envelope. */
  declare readonly issues: readonly ValidationIssue[];

  constructor(message: string, init: ApiErrorInit & { issues: readonly ValidationIssue[] }) {
    super(message, init);
  }
}
