import { RATE_LIMITED_CODE } from "../assumptions.js";
import { ApiError, type ApiErrorInit } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";

/** The fields of a {@link RateLimitedError}. */
export interface RateLimitedErrorInit extends ApiErrorInit {
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/**
 * Status 429, code `rate_limited`: more requests than the limits allow. The service did nothing; the call may be
 * repeated.
 */
export class RateLimitedError extends ApiError {
  declare readonly name: "RateLimitedError";
  /** How long the service asks to wait, in milliseconds; `undefined` if the response does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, fields?: RateLimitedErrorInit);
  constructor(fields?: RateLimitedErrorInit);
  constructor(...args: ErrorArguments<RateLimitedErrorInit>) {
    const { message, fields } = readArguments<RateLimitedErrorInit>(args, ({ retryAfterMs }) =>
      retryAfterMs === undefined
        ? "The service answered 429 rate_limited"
        : `The service answered 429 rate_limited: try again in ${retryAfterMs} ms`,
    );
    super(message, { retryable: true, ...fields });
    this.retryAfterMs = fields.retryAfterMs;
  }
}
brand(RateLimitedError, "RateLimitedError", { status: 429, code: RATE_LIMITED_CODE });
