import type { ErrorDetail } from "../schemas/error-envelope.js";
import type { RateLimit } from "../schemas/rate-limit.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The request that an error answers. */
export interface RequestSummary {
  method: string;
  url: string;
}

export interface ApiErrorInit extends ErrorInit {
  status: number;
  code: string | undefined;
  details: readonly ErrorDetail[] | undefined;
  body: unknown;
  headers: Headers;
  rateLimit: RateLimit | undefined;
  request: RequestSummary;
}

/** The service answered, and the answer is not a success. */
export class ApiError extends NotetakerError {
  static {
    brand(this, "ApiError");
  }
  override readonly name: string = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** `error.code` of the error envelope. */
  readonly code: string | undefined;
  /** `error.details` of the error envelope. */
  readonly details: readonly ErrorDetail[] | undefined;
  /** The body: an envelope as parsed, anything else as the first 2 KiB of its text. */
  readonly body: unknown;
  readonly headers: Headers;
  /** From the response's headers. */
  readonly rateLimit: RateLimit | undefined;
  readonly request: RequestSummary;

  constructor(message: string, init: ApiErrorInit) {
    super(message, { outcome: init.status >= 500 ? "unknown" : "rejected", ...init });
    this.status = init.status;
    this.code = init.code;
    this.details = init.details;
    this.body = init.body;
    this.headers = init.headers;
    this.rateLimit = init.rateLimit;
    this.request = init.request;
  }
}
