/** What the functions of this entry point take and give: the parts of a transcript that they read. */
import type { Segment, Speaker } from "../schemas/transcript.js";

/** Something that one speaker said, with its times in seconds from the start of the meeting. */
export interface Spoken extends Pick<Segment, "speaker_id" | "start_time" | "end_time" | "text"> {}

/**
 * A transcript as `meetings.getTranscript` gives it, or its two lists alone. A {@link Turn} is something spoken too,
 * so `{ ...transcript, segments: turns(transcript) }` is a transcript with one line a turn.
 */
export interface SpokenTranscript {
  readonly speakers: readonly Pick<Speaker, "id" | "name">[];
  readonly segments: readonly Spoken[];
}

/** Consecutive segments of one speaker as one. */
export interface Turn extends Spoken {
  speaker_name: string;
}
