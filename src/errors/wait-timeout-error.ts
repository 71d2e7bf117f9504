import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A waiter gave up. The meeting may still become ready: waiting again with the same `meetingId` goes on. */
export class WaitTimeoutError extends NotetakerError {
  static {
    brand(this, "WaitTimeoutError");
  }
  declare readonly name: "WaitTimeoutError";
  declare readonly meetingId: string;
  /** How long was waited, in milliseconds. */
  declare readonly waitedMs: number;

  constructor(message: string, init: { meetingId: string; waitedMs: number; cause?: unknown }) {
    super(message, { retryable: true, ...init });
  }
}
