import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** No answer, or the answer broke off; `cause` says why. */
export class ConnectionError extends NotetakerError {
  static {
    brand(this, "ConnectionError");
  }
  declare readonly name: "ConnectionError";
  declare readonly request: RequestSummary | undefined;

  constructor(message: string, init: ErrorInit & { request?: RequestSummary } = {}) {
    super(message, { request: undefined, ...init });
  }
}
