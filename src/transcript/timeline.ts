/**
 * The one place where a transcript's times are made usable. The interface promises segments "in chronological order"
 * with two numbers each; what arrives may overlap, be unordered, have no length, be negative, or lack a time
 * altogether. Every function of this entry point reads a transcript through `timeline`, so all treat a bad time alike:
 *
 * - A time is missing unless it is a number, finite and below 10^12. Times are rounded to the millisecond.
 * - A missing start is the end of the segment listed before it, or 0 for the first one.
 * - A negative start is 0.
 * - An end that is missing or before its start is that start: the segment has no length.
 * - Segments are put in the order of their starts; those with the same start stay in the order they are listed in.
 * - Segments that overlap are left as they are: people do talk at the same time.
 * - A segment whose text is blank is left out.
 */
import { singleLine } from "./single-line.js";
import { speakerNames } from "./speaker-name.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** In seconds: below this a number has room for milliseconds. */
const LATEST = 1e12;

/** To the millisecond, or `undefined` if `value` is not a time. */
const time = (value: unknown) =>
  typeof value === "number" && Math.abs(value) < LATEST ? Math.round(value * 1000) / 1000 : undefined;

/**
 * Everything said, in order, with times that satisfy `0 <= start_time <= end_time`, with text on one line and names.
 */
export function timeline(transcript: SpokenTranscript): Turn[] {
  const name = speakerNames(transcript);
  const segments = Array.isArray(transcript.segments) ? transcript.segments : [];
  let reached = 0;
  return segments
    .filter((segment) => segment)
    .map(({ speaker_id, start_time, end_time, text }) => {
      const start = Math.max(0, time(start_time) ?? reached);
      reached = Math.max(start, time(end_time) ?? start);
      return {
        speaker_id,
        speaker_name: name(speaker_id),
        start_time: start,
        end_time: reached,
        text: singleLine(text),
      };
    })
    .filter(({ text }) => text)
    .sort((a, b) => a.start_time - b.start_time);
}

/**
 * A line cut into `pieces`. Each piece gets a share of the time in proportion to its characters. When each word of a
 * segment was said is not known; this is the usual estimate.
 */
export function interpolate<T extends Spoken>(line: T, pieces: readonly string[]): T[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let read = 0;
  const at = () => time(line.start_time + ((line.end_time - line.start_time) * read) / length) ?? line.end_time;
  return pieces.map((piece) => {
    const start_time = at();
    read += piece.length;
    return { ...line, start_time, end_time: at(), text: piece.trim() };
  });
}
