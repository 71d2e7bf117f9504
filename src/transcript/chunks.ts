import { textOf } from "../json/text-of.js";
import { checkNumbers, type NumberRules } from "./check-arguments.js";
import { graphemes, sentences, words } from "./split-text.js";
import { interpolate } from "./timeline.js";
import { textLine } from "./to-text.js";
import { joinTurns, type TurnOptions } from "./turns.js";
import type { SpokenTranscript, Turn } from "./types.js";

/** Options of `chunks`. */
export interface ChunkOptions extends TurnOptions {
  /** The maximum number of tokens in a chunk's `text`, as `countTokens` counts them. At least 1. */
  maxTokens: number;
  /** Returns how many tokens a text has for the model that will read it. Called about twice for each turn. */
  countTokens: (text: string) => number;
  /** How many turns are repeated in the next chunk, if they fit into half of `maxTokens`. Default 0. */
  overlapTurns?: number | undefined;
  /** Writes a turn in a chunk's `text`. Default: `[00:00:04] Name: text`. */
  line?: ((turn: Turn) => string) | undefined;
}

const CHUNK_RULES: NumberRules<"maxTokens" | "overlapTurns"> = { maxTokens: [1], overlapTurns: [0, 0] };

const OWN_OPTIONS: readonly (keyof ChunkOptions)[] = ["maxTokens", "countTokens", "overlapTurns", "line"];

/** A part of a transcript that fits into a model's context. */
export interface Chunk {
  /** A line for each turn, as `line` writes it; by default `[00:00:04] Name: text`. */
  text: string;
  /** What `countTokens` returned for `text`. */
  tokens: number;
  /** When the first turn starts, in seconds. */
  start_time: number;
  /** When the latest turn ends, in seconds. */
  end_time: number;
  /** The names of the speakers in the chunk, each once, in the order in which they first speak. */
  speakers: string[];
  /** The turns in the text. A turn that did not fit as a whole is here in parts. */
  turns: Turn[];
  /** How many turns at the start of `turns` are repeated from the previous chunk. */
  overlap: number;
}

/**
 * Divides a transcript into chunks for a language model. Each chunk has as many whole turns as fit. A turn that is
 * longer than a chunk is cut between sentences, words or characters, with times interpolated. Guide:
 * docs/transcripts.md#chunks-for-a-language-model.
 * @example
 * const countTokens = (text: string) => encode(text).length;
 * for (const { text } of chunks(transcript, { maxTokens: 4_000, countTokens, overlapTurns: 2 })) { … }
 * @throws RangeError if `maxTokens` is missing or too small for one character, or another option is out of range
 * @throws TypeError for an unknown option, or if `countTokens` or `line` is not a function that returns a number or a
 * string
 */
export function chunks(
  transcript: SpokenTranscript,
  { maxTokens, overlapTurns, countTokens, line = textLine, ...turnOptions }: ChunkOptions = {} as ChunkOptions,
): Chunk[] {
  const { maxTokens: max, overlapTurns: maxOverlap } = checkNumbers({ maxTokens, overlapTurns }, CHUNK_RULES);
  const count = checkResults("countTokens", "number", countTokens);
  const write = checkResults("line", "string", line);
  const lines = joinTurns(transcript, turnOptions, OWN_OPTIONS).flatMap(({ turn }) =>
    fitTurn(turn, max, count, (part) => count(write(part))),
  );
  const costs = lines.map((turn) => count(`${write(turn)}\n`));
  const build = (from: number, end: number, next: number): Chunk => {
    const turns = lines.slice(from, end);
    const text = turns.map(write).join("\n");
    return {
      text,
      tokens: count(text),
      start_time: turns[0]?.start_time ?? 0,
      end_time: turns.reduce((latest, { end_time }) => Math.max(latest, end_time), 0),
      speakers: [...new Set(turns.map(({ speaker_name }) => speaker_name))],
      turns,
      overlap: next - from,
    };
  };

  const result: Chunk[] = [];
  for (let from = 0, next = 0; next < lines.length; ) {
    const range = estimateRange(costs, from, next, max);
    let chunk = build(range.from, range.end, next);
    // The loop ends at the latest when one line is left, because every line fits.
    while (chunk.tokens > max) {
      if (range.end > next + 1) range.end--;
      else range.from++;
      chunk = build(range.from, range.end, next);
    }
    result.push(chunk);
    next = range.end;
    from = Math.max(range.from, next - Math.floor(maxOverlap));
  }
  return result;
}

/** Repeated lines (`from`), then new ones (`next`): at most half of the tokens repeat. An estimate only. */
function estimateRange(costs: readonly number[], from: number, next: number, max: number) {
  const costOf = (index: number) => costs[index] ?? 0;
  const range = { from, end: next + 1 };
  let repeated = costs.slice(from, next).reduce((sum, lineCost) => sum + lineCost, 0);
  // With more repeated than new lines, the chunks together would be many times the transcript.
  const room = Math.min(max / 2, max - costOf(next));
  while (range.from < next && repeated > room) repeated -= costOf(range.from++);
  let cost = repeated + costOf(next);
  while (range.end < costs.length && cost + costOf(range.end) <= max) cost += costOf(range.end++);
  return range;
}

/** Wraps a function of the caller. A call throws if `call` is not a function, or if its result is not of `type`. */
const checkResults =
  <Argument, Result>(name: string, type: "number" | "string", call: (argument: Argument) => Result) =>
  (argument: Argument): Result => {
    const result = typeof call === "function" ? call(argument) : undefined;
    if (typeof result === type && (typeof result !== "number" || result >= 0)) return result as Result;
    throw new TypeError(`${name}: expected a function that returns a ${type}, received ${textOf(result)}`);
  };

/** Returns the turn if it fits as a line; else parts of the turn, each of which fits. */
function fitTurn(turn: Turn, max: number, count: (text: string) => number, size: (part: Turn) => number): Turn[] {
  const fits = (parts: readonly Turn[]) => parts.every((part) => size(part) <= max);
  if (fits([turn])) return [turn];
  // `room` is the rest of `max` after the time and the name. If a part is still too long, the text is cut into smaller
  // parts.
  for (let room = max - size({ ...turn, text: "" }); room >= 1; room = Math.floor(room / 2)) {
    const parts = interpolate(turn, pack(turn.text, room, count)).filter(({ text }) => text);
    if (fits(parts)) return parts;
  }
  throw new RangeError(`maxTokens: expected room for a character with its time and speaker, received ${max}`);
}

const FINER = [sentences, words, graphemes];

/** Divides `text` into pieces of at most `room` tokens: whole sentences, else words, else whole characters. */
export function pack(text: string, room: number, count: (text: string) => number, level = 0): string[] {
  const units = FINER[level]?.(text);
  if (!units) return [text];
  const pieces: string[] = [];
  let remaining = 0;
  for (const unit of units) {
    const cost = count(unit);
    if (cost > room) {
      for (const piece of pack(unit, room, count, level + 1)) pieces.push(piece);
      remaining = 0;
    } else if (cost <= remaining) {
      pieces.push(pieces.pop() + unit);
      remaining -= cost;
    } else {
      pieces.push(unit);
      remaining = room - cost;
    }
  }
  return pieces;
}
