/** Transcripts: see "Transcript" in the API specification. */
import * as z from "zod/mini";
import { meetingId, speakerId } from "./id-schemas.js";
import { type Infer, responseObject } from "./primitives.js";
import { responseArray } from "./response-array.js";

const speakerFields = {
  /** `spk_…`, which the segments refer to. */
  id: speakerId,
  /** The name, as the service identified it. */
  name: z.string(),
};

/** Somebody who speaks in a transcript. */
export interface Speaker extends Infer<typeof speakerFields> {}

export const speakerSchema = responseObject<Speaker>(speakerFields);

const segmentFields = {
  /** Who speaks: the `id` of one of the transcript's speakers. */
  speaker_id: speakerId,
  /** When the segment begins, in seconds from the start of the meeting; may have a fraction. */
  start_time: z.number(),
  /** When the segment ends, in seconds from the start of the meeting; may have a fraction. */
  end_time: z.number(),
  /** The text that the speaker said. */
  text: z.string(),
};

/** A part of a transcript that one speaker said. */
export interface Segment extends Infer<typeof segmentFields> {}

export const segmentSchema = responseObject<Segment>(segmentFields);

export const transcriptFields = {
  /** `mtg_…` */
  meeting_id: meetingId,
  /** The language code that the service detected, for example `en`. */
  language: z.string(),
  /** The identified speakers. */
  speakers: responseArray(speakerSchema),
  /** The segments, in chronological order. */
  segments: responseArray(segmentSchema),
};

/** What was said in a meeting, and by whom. */
export interface Transcript extends Infer<typeof transcriptFields> {}

export const transcriptSchema = responseObject<Transcript>(transcriptFields);
