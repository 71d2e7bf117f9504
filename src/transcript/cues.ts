/** Makes the captions of a transcript, with their times, for both caption formats. */
import type { CaptionLimits } from "./caption-options.js";
import { NO_LIMIT } from "./check-options.js";
import { words } from "./split-text.js";
import { interpolate, timeline } from "./timeline.js";
import { joinSegments } from "./turns.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/**
 * A segment without duration is shown as long as reading it takes at this speed, but not beyond the next segment's
 * start.
 */
const CHARACTERS_PER_SECOND = 15;
const SHORTEST_READING = 1;
/** Both formats have a resolution of milliseconds. */
const SHORTEST_CUE = 0.001;

/** The captions of a transcript in the order of their starts, each with `start_time < end_time`. */
export function cues(transcript: SpokenTranscript, limits: CaptionLimits): Turn[] {
  const { mergeGapSeconds, minDurationSeconds } = limits;
  const longest = Math.max(SHORTEST_CUE, limits.maxCueSeconds);
  const segments = joinSegments(
    timeline(transcript),
    (turn, next) => next.start_time - turn.end_time <= mergeGapSeconds && next.end_time - turn.start_time <= longest,
  );
  return segments
    .map(({ turn }, index) => ({ ...turn, end_time: shownUntil(turn, segments[index + 1]?.turn) }))
    .flatMap((segment) => splitSegment(segment, longest))
    .sort((a, b) => a.start_time - b.start_time)
    .map((cue, index, all) => {
      const lengthened = Math.min(cue.start_time + minDurationSeconds, all[index + 1]?.start_time ?? NO_LIMIT);
      const end = Math.min(Math.max(cue.end_time, lengthened), cue.start_time + longest);
      return { ...cue, end_time: Math.max(cue.start_time + SHORTEST_CUE, end) };
    });
}

function shownUntil({ start_time, end_time, text }: Spoken, next: Spoken | undefined): number {
  if (end_time > start_time) return end_time;
  const read = start_time + Math.max(SHORTEST_READING, text.length / CHARACTERS_PER_SECOND);
  return next && next.start_time > start_time ? Math.min(read, next.start_time) : read;
}

/** Divides a segment into pieces of whole words, with as many words in each piece as fit into `longest` seconds. */
function splitSegment(segment: Turn, longest: number): Turn[] {
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
