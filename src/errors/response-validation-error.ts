import type { Issue } from "../schemas/format-issues.js";
import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

export type ResponseValidationErrorInit = ErrorInit & {
  issues: readonly Issue[];
  status: number;
  body: unknown;
  headers: Headers;
  request: RequestSummary;
};

/** A success whose body is not JSON, or not of the promised shape. The service has acted: `outcome` is `accepted`. */
export class ResponseValidationError extends NotetakerError {
  static {
    brand(this, "ResponseValidationError");
  }
  declare readonly name: "ResponseValidationError";
  /** What of the answer is not as promised. */
  declare readonly issues: readonly Issue[];
  declare readonly status: number;
  /** What arrived: as parsed, or the first 2 KiB of its text when it is not JSON. */
  declare readonly body: unknown;
  declare readonly headers: Headers;
  declare readonly request: RequestSummary;

  constructor(message: string, init: ResponseValidationErrorInit) {
    super(message, { outcome: "accepted", ...init });
  }
}
