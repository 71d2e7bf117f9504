import { graphemes, sentences, words } from "./breaks.js";
import { limit } from "./limit.js";
import type { SpokenTranscript, Turn } from "./spoken.js";
import { interpolate } from "./timeline.js";
import { textLine } from "./to-text.js";
import { type TurnOptions, turns } from "./turns.js";

export interface ChunkOptions extends TurnOptions {
  /** No chunk's text counts more than this. */
  maxTokens: number;
  /** How many tokens a text is, for the model that will read it. Called about twice for each turn. */
  countTokens: (text: string) => number;
  /** How many of the last turns of a chunk the next one begins with, as far as they fit. Default: 0. */
  overlapTurns?: number | undefined;
}

export interface Chunk {
  /** A line `[00:00:04] Name: text` for each turn. */
  text: string;
  /** What `countTokens` says of `text`. */
  tokens: number;
  /** When the first turn starts, in seconds. */
  start_time: number;
  /** When the last of the turns ends, in seconds. */
  end_time: number;
  /** The turns in the text; parts of one where it did not fit whole. */
  turns: Turn[];
  /** How many of `turns`, from the first, the chunk before has too. */
  overlap: number;
}

/**
 * A transcript in pieces for a language model: whole turns, as many as fit. A turn that does not fit by itself is cut
 * between sentences, a sentence that does not fit between words, a word between characters; the times of the parts are interpolated.
 *
 * @example
 * for (const { text } of chunks(transcript, { maxTokens: 4_000, countTokens: (text) => encode(text).length, overlapTurns: 2 })) { … }
 *
 * @throws RangeError for a `maxTokens` that does not hold one character with its time and speaker, and for any option out of range.
 * @throws TypeError where `countTokens` is no function, or gives no number.
 */
export function chunks(
  transcript: SpokenTranscript,
  { maxTokens, countTokens, overlapTurns = 0, ...options }: ChunkOptions,
): Chunk[] {
  const max = limit("maxTokens", maxTokens ?? Number.NaN, 1);
  const maxOverlap = Math.floor(limit("overlapTurns", overlapTurns));
  const count = (text: string): number => {
    const tokens: unknown = typeof countTokens === "function" ? countTokens(text) : undefined;
    if (typeof tokens === "number" && tokens >= 0) return tokens;
    throw new TypeError("countTokens: expected a function that returns a number");
  };
  const lines = turns(transcript, options).flatMap((turn) => whatFits(turn, max, count));
  const costs = lines.map((line) => count(`${textLine(line)}\n`));

  const found: Chunk[] = [];
  for (let from = 0, next = 0; next < lines.length; ) {
    let cost = 0;
    for (let line = from; line <= next; line++) cost += costs[line] as number;
    // What the next chunk repeats must leave room for something new.
    while (from < next && cost > max) cost -= costs[from++] as number;
    let to = next + 1;
    while (to < lines.length && cost + (costs[to] as number) <= max) cost += costs[to++] as number;
    // The sum over the lines is an estimate of what the text as a whole counts.
    const build = () => chunkOf(lines.slice(from, to), count, next - from);
    let chunk = build();
    for (; chunk.tokens > max && to - from > 1; chunk = build()) {
      if (to > next + 1) to--;
      else from++;
    }
    found.push(chunk);
    next = to;
    from = Math.max(from, next - maxOverlap);
  }
  return found;
}

function chunkOf(lines: Turn[], count: (text: string) => number, overlap: number): Chunk {
  const text = lines.map(textLine).join("\n");
  return {
    text,
    tokens: count(text),
    start_time: (lines[0] as Turn).start_time,
    end_time: lines.reduce((latest, { end_time }) => Math.max(latest, end_time), 0),
    turns: lines,
    overlap,
  };
}

/** The turn, or as many parts of it as are needed for each to fit as a line. */
function whatFits(turn: Turn, max: number, count: (text: string) => number): Turn[] {
  const fits = (lines: readonly Turn[]) => lines.every((line) => count(textLine(line)) <= max);
  if (fits([turn])) return [turn];
  // Parts are measured without time and name, whose share is taken off; should the sum be wrong, smaller parts are tried.
  for (let room = max - count(textLine({ ...turn, text: "" })); room >= 1; room = Math.floor(room / 2)) {
    const parts = interpolate(turn, pack(turn.text, room, count)).filter(({ text }) => text);
    if (fits(parts)) return parts;
  }
  throw new RangeError(`maxTokens: expected room for a character with its time and speaker, received ${max}`);
}

const FINER = [sentences, words, graphemes];

/** Pieces of `text` that each count at most `room`: whole sentences, else words, else characters, which are not cut. */
function pack(text: string, room: number, count: (text: string) => number, level = 0): string[] {
  const units = FINER[level]?.(text);
  if (!units) return [text];
  const pieces: string[] = [];
  let left = 0;
  for (const unit of units) {
    const cost = count(unit);
    if (cost > room) {
      for (const piece of pack(unit, room, count, level + 1)) pieces.push(piece);
      left = 0;
    } else if (cost <= left) {
      pieces.push(pieces.pop() + unit);
      left -= cost;
    } else {
      pieces.push(unit);
      left = room - cost;
    }
  }
  return pieces;
}
