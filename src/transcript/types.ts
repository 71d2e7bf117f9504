/** What the functions of this entry point take and return: the parts of a transcript that they read. */
import type { Segment, Speaker } from "../schemas/transcript.js";

/** Something that one speaker said, with its times in seconds from the start of the meeting. */
export interface Spoken extends Pick<Segment, "speaker_id" | "start_time" | "end_time" | "text"> {}

/**
 * A transcript as `meetings.getTranscript` returns it, or its two lists alone. A {@link Turn} is a segment, too, so
 * `{ ...transcript, segments: turns(transcript) }` is a transcript with one line for each turn.
 */
export interface SpokenTranscript {
  /** The names of the speakers. A speaker who is not listed goes by the id. */
  readonly speakers: readonly Pick<Speaker, "id" | "name">[];
  /** What was said, in any order. */
  readonly segments: readonly Spoken[];
}

/** Consecutive segments of one speaker as one. */
export interface Turn extends Spoken {
  /** The speaker's name, on one line; the id if the transcript does not name the speaker. */
  speaker_name: string;
}
