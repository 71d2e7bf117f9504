import type { Issue } from "../schemas/describe-issues.js";
import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

export interface ResponseValidationErrorInit extends ErrorInit {
  issues: readonly Issue[];
  status: number;
  body: unknown;
  headers: Headers;
  request: RequestSummary;
}

/** A success whose body is not JSON, or not of the promised shape. The service has acted: `outcome` is `accepted`. */
export class ResponseValidationError extends NotetakerError {
  static {
    brand(this, "ResponseValidationError");
  }
  override readonly name = "ResponseValidationError";
  /** What of the answer is not as promised. */
  readonly issues: readonly Issue[];
  readonly status: number;
  /** What arrived: as parsed, or the first 2 KiB of its text when it is not JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly request: RequestSummary;

  constructor(message: string, init: ResponseValidationErrorInit) {
    super(message, { outcome: "accepted", ...init });
    this.issues = init.issues;
    this.status = init.status;
    this.body = init.body;
    this.headers = init.headers;
    this.request = init.request;
  }
}
