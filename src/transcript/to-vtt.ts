import { clock } from "./clock.js";
import { type CaptionOptions, cues, wrap } from "./cues.js";
import type { SpokenTranscript } from "./spoken.js";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeVtt = (text: string) => text.replace(/[&<>]/g, (mark) => ENTITIES[mark] as string);

/** The space keeps a name that ends in `--` from making the arrow with the end of the tag; readers take it off. */
const voiceTag = (name: string) => `<v ${escapeVtt(name).replace(/--$/, "-- ")}>`;

/**
 * WebVTT captions (`.vtt`), each with the speaker in a voice tag (`<v Name>`). Text and names are escaped; no cue settings
 * are written, so that the player decides where captions stand.
 *
 * @example
 * toVtt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 *
 * @throws RangeError for an option that is not a number, or below its least value.
 */
export const toVtt = (transcript: SpokenTranscript, options?: CaptionOptions): string =>
  `WEBVTT\n${cues(transcript, options)
    .map(
      ({ start_time, end_time, speaker_name, text }) =>
        `\n${clock(start_time, ".")} --> ${clock(end_time, ".")}\n${voiceTag(speaker_name)}${escapeVtt(wrap(text, options))}\n`,
    )
    .join("")}`;
