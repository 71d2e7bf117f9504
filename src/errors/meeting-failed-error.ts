import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The fields of a {@link MeetingFailedError}. */
export interface MeetingFailedErrorInit extends ErrorInit {
  /** The meeting: `mtg_…`. */
  meetingId: string;
}

/** The meeting that a waiter waited for has failed. It will have no transcript. */
export class MeetingFailedError extends NotetakerError {
  declare readonly name: "MeetingFailedError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;

  constructor(message: string, fields: MeetingFailedErrorInit);
  constructor(fields: MeetingFailedErrorInit);
  constructor(...args: ErrorArguments<MeetingFailedErrorInit>) {
    const { message, fields } = readArguments(args, ({ meetingId }) => `The meeting ${meetingId} has failed`);
    super(message, { outcome: "rejected", ...fields });
    this.meetingId = fields.meetingId ?? "";
  }
}
brand(MeetingFailedError, "MeetingFailedError");
