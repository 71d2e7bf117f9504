/**
 * Takes the encodings off a text, so that a secret in it can be compared with the plain one: percent-encoding, HTML
 * entities, the escapes of JSON and of source code, and any of them inside each other. Each decoded character knows
 * which part of the original it stands for. Linear in the text.
 */

/** A decoded text, and where its characters come from. */
export interface DecodedText {
  readonly text: string;
  /** Where each character begins and ends in the original; `undefined` if nothing was encoded. */
  readonly places: Places | undefined;
}

interface Places {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Where character `index` of the decoded text begins in the original. */
export const startOf = ({ places }: DecodedText, index: number): number => places?.starts[index] ?? index;

/** Where character `index` of the decoded text ends in the original. */
export const endOf = ({ places }: DecodedText, index: number): number => places?.ends[index] ?? index + 1;

/** Encodings inside encodings are taken off this often. */
const MAX_LAYERS = 4;

/** A percent sign or an ampersand that was encoded several times in the same way counts as one layer. */
const ESCAPES =
  /%(?:25){0,20}[0-9a-f]{2}|&(?:amp;){0,20}(?:#\d{1,7}|#x[0-9a-f]{1,6}|quot|apos|amp|lt|gt);?|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}/gi;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

const HAS_ESCAPES = /[%&\\]/;

/** The character that an escape stands for. */
function decodeEscape(encoded: string): string {
  if (encoded.startsWith("%")) return String.fromCharCode(Number.parseInt(encoded.slice(-2), 16));
  if (encoded.startsWith("\\")) return String.fromCharCode(Number.parseInt(encoded.slice(2), 16));
  const name = encoded
    .replace(/;$/, "")
    .replace(/^&(?:amp;)*/i, "")
    .toLowerCase();
  if (!name.startsWith("#")) return ENTITIES[name] ?? "";
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  // Outside of the first plane it would be two characters; no secret has one.
  return code <= 0xffff ? String.fromCharCode(code) : "?";
}

/** Collects the characters of a decoded text, each with its place in the original. */
class DecodedTextBuilder {
  readonly #source: DecodedText;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(source: DecodedText) {
    this.#source = source;
    this.#starts = new Int32Array(source.text.length);
    this.#ends = new Int32Array(source.text.length);
  }

  /** Copies the characters from `from` to `to` of the source. */
  copy(from: number, to: number): void {
    const { text, places } = this.#source;
    if (to <= from) return;
    this.#parts.push(text.slice(from, to));
    if (places === undefined) {
      for (let index = from; index < to; index += 1) this.#place(index, index + 1);
      return;
    }
    this.#starts.set(places.starts.subarray(from, to), this.#length);
    this.#ends.set(places.ends.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  /** Adds a character that stands for what lies between `from` and `to` in the source. */
  add(character: string, from: number, to: number): void {
    this.#place(startOf(this.#source, from), endOf(this.#source, to - 1));
    this.#parts.push(character);
  }

  #place(start: number, end: number): void {
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  build(): DecodedText {
    return { text: this.#parts.join(""), places: { starts: this.#starts, ends: this.#ends } };
  }
}

/** Takes one layer of encodings off; `undefined` if nothing is encoded. */
function decodeLayer(source: DecodedText): DecodedText | undefined {
  const { text } = source;
  const escapes = new RegExp(ESCAPES);
  let match = escapes.exec(text);
  if (match === null) return undefined;
  const builder = new DecodedTextBuilder(source);
  let position = 0;
  for (; match !== null; match = escapes.exec(text)) {
    builder.copy(position, match.index);
    position = match.index + match[0].length;
    const character = decodeEscape(match[0]);
    if (character !== "") builder.add(character, match.index, position);
  }
  builder.copy(position, text.length);
  return builder.build();
}

/** `text` without its encodings. Backslashes that escape nothing but the next character stay. */
export function decodeText(text: string): DecodedText {
  if (!HAS_ESCAPES.test(text)) return { text, places: undefined };
  let decoded: DecodedText = { text: withoutCutEscape(text), places: undefined };
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const next = decodeLayer(decoded);
    if (next === undefined) break;
    decoded = { ...next, text: withoutCutEscape(next.text) };
  }
  return decoded;
}

/** The same in the form in which values are compared: without backslashes, and in lower case. */
export function normalise(decoded: DecodedText): DecodedText {
  let result = decoded;
  if (decoded.text.includes("\\")) {
    const builder = new DecodedTextBuilder(decoded);
    let position = 0;
    for (let at = decoded.text.indexOf("\\"); at !== -1; at = decoded.text.indexOf("\\", position)) {
      builder.copy(position, at);
      position = at + 1;
      while (decoded.text.charAt(position) === "\\") position += 1;
    }
    builder.copy(position, decoded.text.length);
    result = builder.build();
  }
  return { text: lowerCase(result.text), places: result.places };
}

/** An escape that was cut off at the end of a text. */
const CUT_ESCAPE =
  /(?:%(?:25)*2?|&(?:amp;)*(?:#x?[0-9a-f]{0,7}|qu?o?t?|ap?o?s?|am?p?|lt?|gt?)?|\\[ux][0-9a-f]{0,3}|%[0-9a-f])$/i;
const LONGEST_ESCAPE = 64;

/** `text` without an escape that was cut off at its end: the secret before it then ends the text. */
function withoutCutEscape(text: string): string {
  const end = text.slice(-LONGEST_ESCAPE);
  const cut = CUT_ESCAPE.exec(end);
  return cut === null ? text : text.slice(0, text.length - (end.length - cut.index));
}

/** Lower case without a change of length: some letters outside of ASCII become two. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
