import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** No answer, or the answer broke off; `cause` says why. */
export class ConnectionError extends NotetakerError {
  static {
    brand(this, "ConnectionError");
  }
  override readonly name = "ConnectionError";
  readonly request: RequestSummary | undefined;

  constructor(message: string, { request, ...init }: ErrorInit & { request?: RequestSummary } = {}) {
    super(message, init);
    this.request = request;
  }
}
