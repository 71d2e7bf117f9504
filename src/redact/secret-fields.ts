/**
 * Finds the values of secret fields in a text of any kind: JSON that breaks off or is quoted in another way, a form,
 * XML, a line of prose. When in doubt, more is taken than less. Linear in the text.
 */
import { type DecodedText, endOf, startOf } from "./decode-text.js";
import { addRange, type Range } from "./ranges.js";

/** Fields whose value is a secret, or a key to a download. */
export const SECRET_FIELD = /secret|recording_url/i;

const NAMES = /(?:secret|recording_url)[\w.-]{0,64}/gi;
const FILE_NAME = /[.][cm]?[jt]sx?$/;
const LONGEST_TAG = 256;
/** How much of an element's name may stand before the word that makes it a secret. */
const LONGEST_PREFIX = 64;

const isSpace = (character: string) => character === " " || (character !== "" && /\s/.test(character));
const isNamePart = (character: string) => /[\w:.-]/.test(character);
const isQuote = (character: string) => character === '"' || character === "'" || character === "`";

/** The first position from `position` on whose character is not one of `skipped`. */
function skip(text: string, position: number, skipped: (character: string) => boolean): number {
  let end = position;
  while (end < text.length && skipped(text.charAt(end))) end += 1;
  return end;
}

/** How many backslashes stand before `position`. */
function backslashesBefore(text: string, position: number, from: number): number {
  let count = 0;
  while (position - count > from && text.charAt(position - count - 1) === "\\") count += 1;
  return count;
}

/** Where the tag that begins at `position` ends. */
function endOfTag(text: string, position: number): number | undefined {
  const end = text.slice(position, position + LONGEST_TAG).indexOf(">");
  return end === -1 ? undefined : position + end + 1;
}

/** Where the value of the name that ends at `position` begins; `undefined` if the name has no value. */
function startOfValue(text: string, position: number): number | undefined {
  let start = skip(text, position, (character) => isSpace(character) || isQuote(character) || character === "\\");
  let separated = false;
  for (;;) {
    const character = text.charAt(start);
    const tagEnd = character === "<" ? endOfTag(text, start) : undefined;
    if (tagEnd !== undefined) start = tagEnd;
    else if (character === ":" || character === "=" || character === ">") start += 1;
    else break;
    separated = true;
    // A form writes a space as a plus.
    start = skip(text, start, (next) => isSpace(next) || next === "+");
  }
  return separated ? start : undefined;
}

/** What may follow the quote that ends a value; between brackets it may also end a name. */
const AFTER_VALUE = ",}])<>;&\r\n\t\"'`";
const BETWEEN_BRACKETS = `${AFTER_VALUE}:`;

/** Whether the quote at `position` can be the end of a value: what follows belongs to the text around it. */
function endsValue(text: string, position: number, followers: string): boolean {
  const next = skip(text, position + 1, (character) => character === "\\" || character === " ");
  return next >= text.length || followers.includes(text.charAt(next));
}

/** Where the quoted value ends whose opening quote is at `opening`. Quotes inside it have more backslashes. */
function endOfQuoted(text: string, opening: number, from: number, followers = AFTER_VALUE): number {
  const quote = text.charAt(opening);
  const level = backslashesBefore(text, opening, from);
  let backslashes = 0;
  for (let position = opening + 1; position < text.length; position += 1) {
    const character = text.charAt(position);
    if (character === quote && backslashes <= level && endsValue(text, position, followers)) return position;
    backslashes = character === "\\" ? backslashes + 1 : 0;
  }
  return text.length;
}

/** Where the list or object ends that begins at `opening`. */
function endOfBrackets(text: string, opening: number): number {
  let depth = 0;
  for (let position = opening; position < text.length; position += 1) {
    const character = text.charAt(position);
    if (isQuote(character)) position = endOfQuoted(text, position, opening, BETWEEN_BRACKETS);
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth === 0) return position + 1;
  }
  return text.length;
}

/** Where a value without quotes ends. White space and brackets that were encoded belong to it. */
function endOfBare(decoded: DecodedText, start: number): number {
  const { text } = decoded;
  for (let end = start; end < text.length; end += 1) {
    const character = text.charAt(end);
    const endsWord = isSpace(character) || isQuote(character) || character === "<" || character === ">";
    if (endsWord && endOf(decoded, end) - startOf(decoded, end) === 1) return end;
  }
  return text.length;
}

/** If the name at `position` is that of an XML element, its whole tag name; with a slash if it is a closing tag. */
function elementName(text: string, position: number, end: number): string | undefined {
  let start = position;
  while (start > position - LONGEST_PREFIX && isNamePart(text.charAt(start - 1))) start -= 1;
  if (text.charAt(start - 1) === "/") start -= 1;
  return text.charAt(start - 1) === "<" ? text.slice(start, end) : undefined;
}

/** The value of the secret field whose name lies between `position` and `end`. */
function rangeOfValue(decoded: DecodedText, position: number, end: number): Range | undefined {
  const { text } = decoded;
  const element = elementName(text, position, end);
  if (element?.startsWith("/")) return undefined;
  if (element !== undefined) {
    const start = text.charAt(end) === ">" ? end + 1 : end;
    const closing = text.indexOf(`</${element}`, start);
    return { start, end: closing === -1 ? text.length : closing };
  }
  const start = startOfValue(text, end);
  if (start === undefined) return undefined;
  const opening = skip(text, start, (character) => character === "\\");
  const character = text.charAt(opening);
  if (isQuote(character)) {
    const closing = endOfQuoted(text, opening, start);
    return { start: opening + 1, end: closing - backslashesBefore(text, closing, opening + 1) };
  }
  if (character === "[" || character === "{") return { start: opening, end: endOfBrackets(text, opening) };
  return { start, end: endOfBare(decoded, start) };
}

/** The values of the secret fields in `decoded`, sorted, in positions of the decoded text. */
export function findSecretFields(decoded: DecodedText): Range[] {
  const ranges: Range[] = [];
  const names = new RegExp(NAMES);
  for (let match = names.exec(decoded.text); match !== null; match = names.exec(decoded.text)) {
    // In a stack: `secrets.test.ts:10:5`.
    if (FILE_NAME.test(match[0])) continue;
    const value = rangeOfValue(decoded, match.index, names.lastIndex);
    if (value === undefined || value.end <= value.start) continue;
    addRange(ranges, value.start, value.end);
    names.lastIndex = value.end;
  }
  return ranges;
}
