/** Interface, "Recording link". */
import * as z from "zod/mini";
import { meetingId } from "./ids.js";
import { responseObject } from "./primitives.js";

export const recordingLinkSchema = responseObject({
  /** `mtg_…` */
  meeting_id: meetingId,
  /** Temporary, short-lived download URL: use it promptly. Level A: `null` when the meeting has no recording. */
  recording_url: z.nullable(z.string()),
});
export type RecordingLink = z.infer<typeof recordingLinkSchema>;
