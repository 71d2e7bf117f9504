import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The fields of a {@link WaitTimeoutError}. */
export interface WaitTimeoutErrorInit extends ErrorInit {
  /** The meeting: `mtg_…`. */
  meetingId: string;
  /** How long the wait was, in milliseconds. */
  waitedMs: number;
}

/** A waiter gave up. The meeting may still become ready: to continue, wait again with the same `meetingId`. */
export class WaitTimeoutError extends NotetakerError {
  declare readonly name: "WaitTimeoutError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;
  /** How long the wait was, in milliseconds. */
  readonly waitedMs: number;

  constructor(message: string, fields: WaitTimeoutErrorInit);
  constructor(fields: WaitTimeoutErrorInit);
  constructor(...args: ErrorArguments<WaitTimeoutErrorInit>) {
    const { message, fields } = readArguments(
      args,
      ({ meetingId, waitedMs }) => `The meeting ${meetingId} was not ready after ${waitedMs} ms`,
    );
    super(message, { retryable: true, ...fields });
    this.meetingId = fields.meetingId ?? "";
    this.waitedMs = fields.waitedMs ?? 0;
  }
}
brand(WaitTimeoutError, "WaitTimeoutError");
