/** Cuts texts and lists so that the JSON of a result fits into the context of a model. */
import { InvalidArgumentError } from "../errors/argument-errors.js";

/** The maximum length of a result's JSON, for every tool. */
export const MAX_RESULT = 20_000;

/** The length of a value as JSON: a quotation mark or a line break takes two characters, half a character six. */
export const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** The longest start of `text` whose JSON has at most `room` characters. A code point is not cut. */
function longestStart(text: string, room: number): string {
  let end = 0;
  let length = 0;
  for (const character of text.slice(0, Math.max(0, room))) {
    length += jsonLength(character) - 2;
    if (length > room) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** A text that is at most `max` characters of JSON, with `…` if it was cut. Of other values, numbers and null remain. */
export function brief(value: unknown, max = 100): string | number | boolean | null | undefined {
  if (typeof value === "string") {
    const start = longestStart(value, max);
    return start.length === value.length ? value : `${longestStart(value, max - 1)}…`;
  }
  return typeof value === "object" && value !== null ? undefined : (value as number | boolean | null | undefined);
}

/** A line of a text. A part of it begins with the same prefix. */
export interface Line {
  readonly prefix: string;
  readonly text: string;
}

export interface WantedPart {
  readonly cursor?: string | undefined;
  readonly max_characters?: number | undefined;
}

/** A part of a text, and the cursor of the next part: `null` at the end. */
export interface TextPart {
  readonly text: string;
  readonly next_cursor: string | null;
}

/** The longest cursor of a text: a line and a position in it. */
const LONGEST_CURSOR = "999999999:999999999";

/** Reads a cursor: the line at which a part begins, and the position in it. */
function readCursor(
  operation: string,
  cursor: string | undefined,
  lines: readonly Line[],
): [line: number, offset: number] {
  if (cursor === undefined) return [0, 0];
  const [, line = "", offset = "0"] = /^(\d{1,9})(?::(\d{1,9}))?$/.exec(cursor) ?? [];
  const position: [number, number] = [Number(line), Number(offset)];
  const { length } = lines[position[0]]?.text ?? "";
  if (line !== "" && position[0] <= lines.length && position[1] <= length) return position;
  throw new InvalidArgumentError({
    operation,
    issues: [{ path: "cursor", message: "expected the next_cursor of a previous result" }],
  });
}

/** The whole lines that fit, from the cursor on; a too long line is cut. `frame` makes the result. */
export function cutLines<T extends object>(
  operation: string,
  lines: readonly Line[],
  { cursor, max_characters: max = MAX_RESULT }: WantedPart,
  frame: (part: TextPart) => T,
): T {
  const room = max - jsonLength(frame({ text: "", next_cursor: LONGEST_CURSOR }));
  let [index, offset] = readCursor(operation, cursor, lines);
  const part: string[] = [];
  for (let used = 0; index < lines.length; index += 1, offset = 0) {
    const { prefix, text } = lines[index] as Line;
    const line = prefix + text.slice(offset);
    // A line break takes two characters, the quotation marks of the line alone as well.
    used += jsonLength(line);
    if (used - (part.length === 0 ? 2 : 0) > room) {
      if (part.length > 0) break;
      const start =
        longestStart(text.slice(offset), room - jsonLength(prefix) + 2) || [...text.slice(offset, offset + 2)][0];
      part.push(prefix + start);
      offset += start?.length ?? 0;
      break;
    }
    part.push(line);
  }
  const next = offset > 0 && index < lines.length ? `${index}:${offset}` : String(index);
  return frame({ text: part.join("\n"), next_cursor: index < lines.length ? next : null });
}

/** Divides a text into lines of at most 2,000 code points, so that no character is cut in half. */
export const linesOf = (text: string): string[] =>
  text.split("\n").flatMap((line): string[] => line.match(/.{1,2000}/gsu) ?? [""]);
