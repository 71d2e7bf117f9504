/** The link to a recording: see "Recording link" in the API specification. */
import * as z from "zod/mini";
import { type MeetingId, meetingId } from "./ids.js";
import { responseObject } from "./primitives.js";

/** A temporary link to the recording of a meeting. */
export interface RecordingLink {
  /** `mtg_…` */
  meeting_id: MeetingId;
  /**
   * A temporary, short-lived download URL: use it promptly, and do not send the token to it. `null` if the meeting has
   * no recording (documented).
   */
  recording_url: string | null;
}

/** The zod schema of {@link RecordingLink}. */
export const recordingLinkSchema = responseObject<RecordingLink>({
  meeting_id: meetingId,
  recording_url: z.nullable(z.string()),
});
