/** A transcript as captions: their times and texts, and the two formats. */
import { checkNumbers, NO_LIMIT, type NumberRules } from "./check-arguments.js";
import { formatTimestamp } from "./format-time.js";
import { words, wrapLines } from "./split-text.js";
import { interpolate, timeline } from "./timeline.js";
import { joinSegments } from "./turns.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** Options of `toSrt` and `toVtt`. Each is off by default. */
export interface CaptionOptions {
  /** The longest line, in UTF-16 units; in SRT, with the speaker's name. Broken between words. Default: no limit. */
  maxLineLength?: number | undefined;
  /** Seconds. A longer segment becomes several captions, with interpolated times. Default: one for a segment. */
  maxCueSeconds?: number | undefined;
  /** Seconds; not beyond the next caption or `maxCueSeconds`. Default: as long as the segment lasts. */
  minDurationSeconds?: number | undefined;
  /** Joins segments of a speaker that are at most this many seconds apart: for one per word. Default: joins none. */
  mergeGapSeconds?: number | undefined;
}

const CAPTION_RULES: NumberRules<keyof CaptionOptions> = {
  maxLineLength: [1, NO_LIMIT],
  maxCueSeconds: [0, NO_LIMIT],
  minDurationSeconds: [0, 0],
  mergeGapSeconds: [0, -NO_LIMIT],
};

/** The options of captions, with their defaults, which change nothing. */
type CaptionLimits = { [Name in keyof Required<CaptionOptions>]: number };

/** A segment without duration is shown as long as reading it takes at this speed, at most until the next begins. */
const CHARACTERS_PER_SECOND = 15;
const SHORTEST_READING = 1;
/** Both formats have a resolution of milliseconds. */
const SHORTEST_CUE = 0.001;

/** The captions of a transcript in the order of their starts, each with `start_time < end_time`. */
function cues(transcript: SpokenTranscript, limits: CaptionLimits): Turn[] {
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

/** Shortens an arrow of any length (`-->`, `---->`) to `->`. Each run of dashes is read once, with or without a `>`. */
const shortenArrows = (text: string) => text.replace(/-{2,}>?/g, (run) => (run.endsWith(">") ? "->" : run));

/**
 * A transcript as SubRip captions (`.srt`), each with the speaker's name before the text. The format has no escapes. So
 * an arrow, which would end a caption, is shortened (`-->` becomes `->`). Other text is not changed.
 * @example
 * toSrt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 * @throws RangeError for an option that is not a number, or below its minimum.
 * @throws TypeError for an unknown option.
 */
export function toSrt(transcript: SpokenTranscript, options: CaptionOptions = {}): string {
  const limits = checkNumbers(options, CAPTION_RULES);
  return cues(transcript, limits)
    .map(({ start_time, end_time, speaker_name, text }, index) => {
      const shown = wrapLines(shortenArrows(`${speaker_name}: ${text}`), limits.maxLineLength);
      return `${index + 1}\n${formatTimestamp(start_time, ",")} --> ${formatTimestamp(end_time, ",")}\n${shown}\n`;
    })
    .join("\n");
}

const escapeVtt = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A name that ends in `--` would form an arrow with the `>` of the tag. Players remove the space. */
const voiceTag = (name: string) => `<v ${escapeVtt(name)}${name.endsWith("--") ? " " : ""}>`;

/**
 * A transcript as WebVTT captions (`.vtt`), each with the speaker in a voice tag (`<v Name>`). Text and names are
 * escaped. No cue settings are written, so the player decides where to show captions.
 * @example
 * toVtt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 * @throws RangeError for an option that is not a number, or below its minimum.
 * @throws TypeError for an unknown option.
 */
export function toVtt(transcript: SpokenTranscript, options: CaptionOptions = {}): string {
  const limits = checkNumbers(options, CAPTION_RULES);
  const captions = cues(transcript, limits).map(({ start_time, end_time, speaker_name, text }) => {
    const shown = voiceTag(speaker_name) + escapeVtt(wrapLines(text, limits.maxLineLength));
    return `\n${formatTimestamp(start_time, ".")} --> ${formatTimestamp(end_time, ".")}\n${shown}\n`;
  });
  return `WEBVTT\n${captions.join("")}`;
}
