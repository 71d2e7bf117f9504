import type { Segment, Speaker } from "../schemas/transcript.js";

/** Something that one speaker said, with its times in seconds from the start of the meeting. */
export interface Spoken extends Pick<Segment, "speaker_id" | "start_time" | "end_time" | "text"> {}

/** What `meetings.getTranscript` returns, or its two lists. A {@link Turn} can also be a segment. */
export interface SpokenTranscript {
  /** The names of the speakers. For a speaker who is not listed, the id is used as the name. */
  readonly speakers: readonly Pick<Speaker, "id" | "name">[];
  /** The segments, in any order. */
  readonly segments: readonly Spoken[];
}

/** Consecutive segments of one speaker, joined. */
export interface Turn extends Spoken {
  /** The speaker's name, on one line; the id if the transcript does not name the speaker. */
  speaker_name: string;
}
