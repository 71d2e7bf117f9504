/** Interface, "Transcript". */
import * as z from "zod/mini";
import { meetingId, speakerId } from "./ids.js";
import { responseObject } from "./primitives.js";

export const speakerSchema = responseObject({
  /** `spk_…` */
  id: speakerId,
  name: z.string(),
});
export type Speaker = z.infer<typeof speakerSchema>;

export const segmentSchema = responseObject({
  /** The `id` of one of the transcript's speakers. */
  speaker_id: speakerId,
  /** Seconds from the start of the meeting. */
  start_time: z.number(),
  /** Seconds from the start of the meeting. */
  end_time: z.number(),
  text: z.string(),
});
export type Segment = z.infer<typeof segmentSchema>;

export const transcriptSchema = responseObject({
  /** `mtg_…` */
  meeting_id: meetingId,
  /** Detected language code. */
  language: z.string(),
  speakers: z.array(speakerSchema),
  /** In chronological order. */
  segments: z.array(segmentSchema),
});
export type Transcript = z.infer<typeof transcriptSchema>;
