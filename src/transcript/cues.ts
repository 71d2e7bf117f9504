/** What the two caption formats have in common: what is shown, and when. */
import { graphemes, words } from "./breaks.js";
import { limit } from "./limit.js";
import type { Spoken, SpokenTranscript, Turn } from "./spoken.js";
import { interpolate, timeline } from "./timeline.js";

export interface CaptionOptions {
  /**
   * Breaks lines that are longer, between words; a word that is longer itself is cut. Counted in UTF-16 units, in SRT
   * with the speaker's name. Default: no line is broken.
   */
  maxLineLength?: number | undefined;
  /**
   * Shows what lasts longer in several captions, cut between words, with interpolated times. No caption is shown for
   * longer than this. Default: one caption for each segment.
   */
  maxCueSeconds?: number | undefined;
}

/** A caption must be shown for some time. One of a segment without length can be read at this speed, unless the next one comes first. */
const CHARACTERS_PER_SECOND = 15;
const SHORTEST_READING = 1;
/** Both formats count in milliseconds. */
const SHORTEST_CUE = 0.001;

/** The captions of a transcript in the order of their starts, each with `start_time < end_time`. */
export function cues(transcript: SpokenTranscript, { maxCueSeconds }: CaptionOptions = {}): Turn[] {
  const longest = Math.max(SHORTEST_CUE, limit("maxCueSeconds", maxCueSeconds));
  return timeline(transcript)
    .map((segment, index, all) => ({ ...segment, end_time: shownUntil(segment, all[index + 1]) }))
    .flatMap((segment) => cut(segment, longest))
    .map((cue) => ({
      ...cue,
      end_time: Math.max(cue.start_time + SHORTEST_CUE, Math.min(cue.end_time, cue.start_time + longest)),
    }))
    .sort((a, b) => a.start_time - b.start_time);
}

function shownUntil({ start_time, end_time, text }: Spoken, next: Spoken | undefined): number {
  if (end_time > start_time) return end_time;
  const read = start_time + Math.max(SHORTEST_READING, text.length / CHARACTERS_PER_SECOND);
  return next && next.start_time > start_time ? Math.min(read, next.start_time) : read;
}

/** A segment as pieces of whole words, as many words in each as fit into `longest` seconds. */
function cut(segment: Turn, longest: number): Turn[] {
  const seconds = segment.end_time - segment.start_time;
  if (seconds <= longest) return [segment];
  const room = (longest / seconds) * segment.text.length;
  const pieces: string[] = [];
  for (const word of words(segment.text)) {
    const longer = (pieces.at(-1) ?? "") + word;
    if (pieces.length && longer.length <= room) pieces[pieces.length - 1] = longer;
    else pieces.push(word);
  }
  return interpolate(segment, pieces);
}

/** `text` in lines of at most `maxLineLength`. */
export function wrap(text: string, { maxLineLength }: CaptionOptions = {}): string {
  const max = limit("maxLineLength", maxLineLength, 1);
  if (text.length <= max) return text;
  const lines: string[] = [];
  for (const unit of words(text).flatMap((word) => (word.trimEnd().length > max ? graphemes(word) : word))) {
    const line = lines.at(-1) ?? "";
    if (lines.length && line.length + unit.trimEnd().length <= max) lines[lines.length - 1] = line + unit;
    else lines.push(unit);
  }
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}
