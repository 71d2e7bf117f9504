import type { ErrorDetail } from "../schemas/error-envelope.js";
import type { RateLimit } from "../schemas/rate-limit.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The request that an error answers. */
export interface RequestSummary {
  method: string;
  url: string;
}

export type ApiErrorInit = ErrorInit & {
  status: number;
  code: string | undefined;
  details: readonly ErrorDetail[] | undefined;
  body: unknown;
  headers: Headers;
  rateLimit: RateLimit | undefined;
  request: RequestSummary;
};

/** The service answered, and the answer is not a success. */
export class ApiError extends NotetakerError {
  static {
    brand(this, "ApiError");
  }
  declare readonly name: string;
  /** HTTP status. */
  declare readonly status: number;
  /** `error.code` of the error envelope. */
  declare readonly code: string | undefined;
  /** `error.details` of the error envelope. */
  declare readonly details: readonly ErrorDetail[] | undefined;
  /** The body: an envelope as parsed, anything else as the first 2 KiB of its text. */
  declare readonly body: unknown;
  declare readonly headers: Headers;
  /** From the response's headers. */
  declare readonly rateLimit: RateLimit | undefined;
  declare readonly request: RequestSummary;

  constructor(message: string, init: ApiErrorInit) {
    super(message, { outcome: init.status >= 500 ? "unknown" : "rejected", ...init });
  }
}
