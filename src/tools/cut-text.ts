/** Divides long texts into parts that fit into the context of a model. */
import { InvalidArgumentError } from "../errors/argument-errors.js";

const DEFAULT_MAX_CHARACTERS = 20_000;

/** The part of a text that a model asks for. */
export interface WantedPart {
  readonly cursor?: string | undefined;
  readonly max_characters?: number | undefined;
}

/** A part of a text, and the cursor of the next part: `null` at the end. */
export interface TextPart {
  readonly text: string;
  readonly next_cursor: string | null;
}

/** Reads the cursor: the number of the piece at which a part begins. */
function readCursor(operation: string, cursor: string | undefined, pieces: number): number {
  if (cursor === undefined) return 0;
  const start = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (start <= pieces) return start;
  throw new InvalidArgumentError(operation, [
    { path: "cursor", message: "expected the next_cursor of a previous result" },
  ]);
}

/**
 * A part with as many whole `pieces` (lines, turns) as fit, from the cursor on, and at least one. Divide pieces that
 * are longer than a part before the call.
 */
export function cutPieces(
  operation: string,
  pieces: readonly string[],
  { cursor, max_characters = DEFAULT_MAX_CHARACTERS }: WantedPart,
): TextPart {
  const start = readCursor(operation, cursor, pieces.length);
  let end = start;
  let length = 0;
  while (end < pieces.length) {
    const next = length + (pieces[end]?.length ?? 0) + 1;
    if (end > start && next > max_characters) break;
    length = next;
    end += 1;
  }
  return { text: pieces.slice(start, end).join("\n"), next_cursor: end < pieces.length ? String(end) : null };
}

/** Divides a text into lines of at most 2,000 code points, so that no character is cut in half. */
export const linesOf = (text: string): string[] =>
  text.split("\n").flatMap((line): string[] => line.match(/.{1,2000}/gsu) ?? [""]);
