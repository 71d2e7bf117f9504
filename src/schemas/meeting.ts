/** Interface, "Meeting (summary form, as embedded in a room)", and what public pages show beyond it. */
import * as z from "zod/mini";
import { documentReferenceSchema } from "./document.js";
import { meetingId } from "./ids.js";
import { integer, nullish, openEnum, responseObject, timestamp } from "./primitives.js";

/** Level A: the interface shows only `completed`. A value added later passes. */
export const MEETING_STATUSES = ["completed", "processing", "scheduled", "failed"] as const;

/** Level A: the interface shows none. A value added later passes. */
export const MEETING_SOURCES = [
  "google_meet",
  "zoom",
  "teams",
  "slack",
  "whatsapp",
  "phone",
  "upload",
  "desktop",
] as const;

const summaryFields = {
  /** `mtg_…` */
  id: meetingId,
  /** Level B: absent or `null` while a meeting is not completed. */
  title: nullish(z.string()),
  status: openEnum<typeof MEETING_STATUSES>(),
  /** The conferencing source. */
  source: openEnum<typeof MEETING_SOURCES>(),
  /** ISO 8601 with offset. */
  start_time: timestamp(),
  /** Seconds. Level B: absent or `null` while a meeting is not completed. */
  duration: nullish(integer()),
};

/** A meeting as a room embeds it. */
export const meetingSummarySchema = responseObject(summaryFields);
export type MeetingSummary = z.infer<typeof meetingSummarySchema>;

/** Level A. Any of the fields may be `null`. */
export const participantSchema = responseObject({
  name: nullish(z.string()),
  email: nullish(z.string()),
  title: nullish(z.string()),
  company: nullish(z.string()),
});
export type Participant = z.infer<typeof participantSchema>;

/** Level A. */
export const hostSchema = responseObject({
  /** `usr_…` */
  id: nullish(z.string()),
  name: nullish(z.string()),
  email: nullish(z.string()),
});
export type Host = z.infer<typeof hostSchema>;

/** A meeting as the meeting list returns it: the summary form and the fields that public pages show (level A). */
export const meetingSchema = responseObject({
  ...summaryFields,
  /** ISO 8601 with offset. */
  end_time: nullish(timestamp()),
  host: nullish(hostSchema),
  participants: nullish(z.array(participantSchema)),
  /** Present when the list is requested with `expand: ["documents"]`. */
  documents: nullish(z.array(documentReferenceSchema)),
  /** ISO 8601 with offset. */
  created_at: nullish(timestamp()),
});
export type Meeting = z.infer<typeof meetingSchema>;
