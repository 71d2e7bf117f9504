import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A meeting that was waited for has failed: it will not have a transcript. */
export class MeetingFailedError extends NotetakerError {
  static {
    brand(this, "MeetingFailedError");
  }
  declare readonly name: "MeetingFailedError";
  declare readonly meetingId: string;

  constructor(message: string, init: { meetingId: string }) {
    super(message, { outcome: "rejected", ...init });
  }
}
