import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A meeting that was waited for has failed: it will not have a transcript. */
export class MeetingFailedError extends NotetakerError {
  static {
    brand(this, "MeetingFailedError");
  }
  override readonly name = "MeetingFailedError";
  readonly meetingId: string;

  constructor(message: string, { meetingId }: { meetingId: string }) {
    super(message, { outcome: "rejected" });
    this.meetingId = meetingId;
  }
}
