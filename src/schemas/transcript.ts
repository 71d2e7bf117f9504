/** Transcripts: see "Transcript" in the API specification. */
import * as z from "zod/mini";
import { type MeetingId, meetingId, type SpeakerId, speakerId } from "./ids.js";
import { responseObject } from "./primitives.js";
import { responseArray } from "./response-array.js";

/** Somebody who speaks in a transcript. */
export interface Speaker {
  /** `spk_…`, which the segments refer to. */
  id: SpeakerId;
  /** The name, as the service identified it. */
  name: string;
}

/** The zod schema of {@link Speaker}. */
export const speakerSchema = responseObject<Speaker>({ id: speakerId, name: z.string() });

/** A part of a transcript that one speaker said. */
export interface Segment {
  /** Who speaks: the `id` of one of the transcript's speakers. */
  speaker_id: SpeakerId;
  /** When the segment begins, in seconds from the start of the meeting; may have a fraction. */
  start_time: number;
  /** When the segment ends, in seconds from the start of the meeting; may have a fraction. */
  end_time: number;
  /** The text that the speaker said. */
  text: string;
}

/** The zod schema of {@link Segment}. */
export const segmentSchema = responseObject<Segment>({
  speaker_id: speakerId,
  start_time: z.number(),
  end_time: z.number(),
  text: z.string(),
});

/** What was said in a meeting, and by whom. */
export interface Transcript {
  /** `mtg_…` */
  meeting_id: MeetingId;
  /** The language code that the service detected, for example `en`. */
  language: string;
  /** The identified speakers. */
  speakers: Speaker[];
  /** The segments, in chronological order. */
  segments: Segment[];
}

/** The zod schema of {@link Transcript}. */
export const transcriptSchema = responseObject<Transcript>({
  meeting_id: meetingId,
  language: z.string(),
  speakers: responseArray(speakerSchema),
  segments: responseArray(segmentSchema),
});
