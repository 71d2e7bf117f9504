/**
 * Corrects the times of a transcript. The API specification promises segments "in chronological order" with two numbers
 * each. Received segments may overlap or be unordered, and their times may be equal, negative or missing. Every
 * function of this entry point reads a transcript through `timeline`, so all treat an invalid time in the same way:
 * - A time that is not a finite number below 10^12 counts as missing. Times are rounded to the millisecond.
 * - A missing start is the end of the segment listed before it, or 0 for the first one.
 * - A negative start is 0.
 * - An end that is missing, or earlier than the start, becomes the start: the segment has no duration.
 * - Segments are sorted by their starts. Segments with the same start stay in the order of the list.
 * - Segments that overlap are left as they are: people do talk at the same time.
 * - A segment whose text is blank is left out.
 */

import { wellFormed } from "../json/well-formed.js";
import { speakerNames } from "./speaker-name.js";
import { singleLine } from "./split-text.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** In seconds. Below this, a number is precise to the millisecond. */
const LATEST_SECOND = 1e12;

/** Rounds to the millisecond; `undefined` if `value` is not a time. */
const validTime = (value: unknown) =>
  typeof value === "number" && Math.abs(value) < LATEST_SECOND ? Math.round(value * 1000) / 1000 : undefined;

/** All segments in order, with `0 <= start_time <= end_time`, text on one line, and the names of the speakers. */
export function timeline(transcript: SpokenTranscript): Turn[] {
  const name = speakerNames(transcript);
  const segments = Array.isArray(transcript.segments) ? transcript.segments : [];
  let reached = 0;
  return segments
    .filter((segment) => segment)
    .map(({ speaker_id, start_time, end_time, text }) => {
      const start = Math.max(0, validTime(start_time) ?? reached);
      reached = Math.max(start, validTime(end_time) ?? start);
      return {
        speaker_id: wellFormed(speaker_id),
        speaker_name: name(speaker_id),
        start_time: start,
        end_time: reached,
        text: singleLine(text),
      };
    })
    .filter(({ text }) => text)
    .sort((a, b) => a.start_time - b.start_time);
}

/** Divides a line, with time in proportion to characters: a transcript does not time words, so an estimate. */
export function interpolate<T extends Spoken>(line: T, pieces: readonly string[]): T[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let read = 0;
  const at = () => validTime(line.start_time + ((line.end_time - line.start_time) * read) / length) ?? line.end_time;
  return pieces.map((piece) => {
    const start_time = at();
    read += piece.length;
    return { ...line, start_time, end_time: at(), text: piece.trim() };
  });
}
