/** The link to a recording: see "Recording link" in the API specification. */
import * as z from "zod/mini";
import { meetingId } from "./id-schemas.js";
import { type Infer, responseObject } from "./primitives.js";

const recordingLinkFields = {
  /** `mtg_…` */
  meeting_id: meetingId,
  /** A download URL: use it soon, and never send the token to it. `null` without a recording (documented). */
  recording_url: z.nullable(z.string()),
};

/** A temporary link to the recording of a meeting. */
export interface RecordingLink extends Infer<typeof recordingLinkFields> {}

export const recordingLinkSchema = responseObject<RecordingLink>(recordingLinkFields);
