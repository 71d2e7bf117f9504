import { ApiError, type ApiErrorInit } from "./api-error.js";
import { brand } from "./brand.js";

/** Status 429, code `rate_limited`: more requests than the limits allow. */
export class RateLimitedError extends ApiError {
  static {
    brand(this, "RateLimitedError");
  }
  declare readonly name: "RateLimitedError";
  /** How long the service asks to wait, in milliseconds; `undefined` when it gave no hint. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, init: ApiErrorInit & { retryAfterMs: number | undefined }) {
    super(message, init);
  }
}
