import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A waiter gave up. The meeting may still become ready: waiting again with the same `meetingId` goes on. */
export class WaitTimeoutError extends NotetakerError {
  static {
    brand(this, "WaitTimeoutError");
  }
  override readonly name = "WaitTimeoutError";
  readonly meetingId: string;
  /** How long was waited, in milliseconds. */
  readonly waitedMs: number;

  constructor(
    message: string,
    { meetingId, waitedMs, cause }: { meetingId: string; waitedMs: number; cause?: unknown },
  ) {
    super(message, { outcome: "unknown", retryable: true, cause });
    this.meetingId = meetingId;
    this.waitedMs = waitedMs;
  }
}
