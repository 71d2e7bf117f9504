import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The fields of a {@link TimeoutError}. */
export interface TimeoutErrorInit extends ErrorInit {
  /** The limit that was reached, in milliseconds. */
  timeoutMs: number;
  /** The request that took too long. */
  request?: RequestSummary | undefined;
}

/** An attempt took longer than `timeoutMs`, or the whole call longer than `deadlineMs`. */
export class TimeoutError extends NotetakerError {
  declare readonly name: "TimeoutError";
  /** The request that took too long. */
  readonly request: RequestSummary | undefined;
  /** The limit that was reached, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, fields: TimeoutErrorInit);
  constructor(fields: TimeoutErrorInit);
  constructor(...args: ErrorArguments<TimeoutErrorInit>) {
    const { message, fields } = readArguments(args, ({ timeoutMs }) => `Timed out after ${timeoutMs} ms`);
    super(message, fields);
    this.request = fields.request;
    this.timeoutMs = fields.timeoutMs ?? 0;
  }
}
brand(TimeoutError, "TimeoutError");
