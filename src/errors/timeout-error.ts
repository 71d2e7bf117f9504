import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** An attempt took longer than `timeoutMs`, or the whole call longer than `deadlineMs`. */
export class TimeoutError extends NotetakerError {
  static {
    brand(this, "TimeoutError");
  }
  declare readonly name: "TimeoutError";
  declare readonly request: RequestSummary | undefined;
  /** The limit that was reached, in milliseconds. */
  declare readonly timeoutMs: number;

  constructor(message: string, init: ErrorInit & { request?: RequestSummary; timeoutMs: number }) {
    super(message, init);
  }
}
