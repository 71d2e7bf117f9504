/** Makes up text with the length and script of another text. Its characters come from random numbers. */
import { type RandomState, randomInteger } from "../state/random.js";

/** The scripts that are distinguished. Letters of other scripts become Latin letters. */
const SCRIPTS = [
  "Latin Cyrillic Greek Han Hiragana Katakana Hangul Arabic Hebrew Devanagari Thai Bengali Tamil Telugu Kannada Malayalam",
  "Gujarati Gurmukhi Oriya Sinhala Khmer Lao Myanmar Tibetan Georgian Armenian Ethiopic Mongolian Bopomofo Thaana Syriac",
  "Cherokee Canadian_Aboriginal Inherited Common",
].flatMap((line) => line.split(" "));

/** The Unicode categories that are distinguished. */
const CATEGORIES = ["Lu", "Ll", "Lt", "Lm", "Lo", "M", "Nd", "Nl", "No"];

const VOWELS = [..."aeiou"];
const CONSONANTS = [..."bcdfghjklmnprstvwz"];
const PUNCTUATION = [..."!#$%&*+=?@^_~"];
/** Emoji of faces, with two UTF-16 units each. */
const FACES: readonly [first: number, count: number] = [0x1f600, 80];
/** Symbols such as sun, cloud and umbrella, with one UTF-16 unit each. */
const SIGNS: readonly [first: number, count: number] = [0x2600, 24];
const FLAG_LETTERS: readonly [first: number, count: number] = [0x1f1e6, 26];
/** Han characters beyond the Basic Multilingual Plane, with two UTF-16 units each. */
const RARE_HAN: readonly [first: number, count: number] = [0x20000, 40_000];

const BASIC_PLANE = 0x10000;

/** The letters of a script in one category, by the names of both. They are collected at first use. */
const alphabets = new Map<string, readonly string[]>();

function alphabetOf(script: string, category: string): readonly string[] {
  const key = `${script} ${category}`;
  let alphabet = alphabets.get(key);
  if (alphabet === undefined) {
    const isLetter = new RegExp(`^(?=\\p{Script=${script}})\\p{${category}}$`, "u");
    const letters: string[] = [];
    for (let code = 0x80; code < BASIC_PLANE && letters.length < 10_000; code++) {
      const letter = String.fromCharCode(code);
      if (isLetter.test(letter)) letters.push(letter);
    }
    alphabet = letters;
    alphabets.set(key, letters);
  }
  return alphabet;
}

/** The script and the category of each character, found at its first occurrence. */
const classes = new Map<string, readonly [script: string, category: string] | undefined>();

const patterns = new Map<string, RegExp>();

function hasProperty(character: string, property: string): boolean {
  let pattern = patterns.get(property);
  if (pattern === undefined) {
    pattern = new RegExp(`\\p{${property}}`, "u");
    patterns.set(property, pattern);
  }
  return pattern.test(character);
}

function classOf(character: string) {
  if (classes.has(character)) return classes.get(character);
  const has = (property: string) => hasProperty(character, property);
  const category = CATEGORIES.find(has);
  const script = SCRIPTS.find((name) => has(`Script=${name}`)) ?? "Latin";
  const found = category === undefined ? undefined : ([script, category] as const);
  classes.set(character, found);
  return found;
}

function isWordCharacter(character: string): boolean {
  if (character < "\u0080") return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
  return /[\p{L}\p{M}]/u.test(character);
}

export class TextMaker {
  readonly #random: RandomState;

  constructor(random: RandomState) {
    this.#random = random;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[], otherwise: T): T {
    return items[randomInteger(this.#random, items.length)] ?? otherwise;
  }

  #pickFrom([first, count]: readonly [first: number, count: number]): string {
    return String.fromCodePoint(first + randomInteger(this.#random, count));
  }

  /** `count` digits. Several digits do not begin with a zero. */
  digits(count: number): string {
    let digits = "";
    for (let position = 0; position < count; position++) {
      const least = position === 0 && count > 1 ? 1 : 0;
      digits += String(least + randomInteger(this.#random, 10 - least));
    }
    return digits;
  }

  /** Latin letters, consonants and vowels in turn. */
  letters(count: number): string {
    let letters = "";
    for (let position = 0; position < count; position++)
      letters += this.pick(position % 2 === 0 ? CONSONANTS : VOWELS, "a");
    return letters;
  }

  /** A text with the length, the scripts and the punctuation of `original`. All other properties are random. */
  text(original: string): string {
    const isWordless = !/[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(original);
    let text = "";
    let position = 0;
    for (const character of original) {
      const isInWord = isWordCharacter(character);
      text += isWordless ? this.#sign(character) : this.#character(character, position);
      position = isInWord ? position + 1 : 0;
    }
    return text;
  }

  /** Replaces a character of a text without words, because in such a text the punctuation itself has a meaning. */
  #sign(character: string): string {
    if (/\s/u.test(character)) return character;
    return character.length === 1 ? this.pick(PUNCTUATION, "*") : this.#pickFrom(FACES);
  }

  /** `position` counts the letters of the word so far. */
  #character(character: string, position: number): string {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return this.#asciiCharacter(character, position);
    if (/\p{Regional_Indicator}/u.test(character)) return this.#pickFrom(FLAG_LETTERS);
    if (/\p{Emoji_Modifier}/u.test(character)) return character;
    if (/\p{Extended_Pictographic}/u.test(character)) return this.#pickFrom(code < BASIC_PLANE ? SIGNS : FACES);
    if (/[\p{Co}\p{Cn}\p{Cs}]/u.test(character)) return "\ufffd".repeat(character.length);
    const characterClass = classOf(character);
    if (characterClass === undefined) return character;
    if (code >= BASIC_PLANE) return this.#pickFrom(characterClass[0] === "Han" ? RARE_HAN : FACES);
    const [script, category] = characterClass;
    if (script === "Latin") return this.#latinLetter(position, category === "Lu");
    return this.pick(alphabetOf(script, category), "x");
  }

  #asciiCharacter(character: string, position: number): string {
    if (character >= "0" && character <= "9") return this.digit();
    return isWordCharacter(character) ? this.#latinLetter(position, character <= "Z") : character;
  }

  digit(): string {
    return String(randomInteger(this.#random, 10));
  }

  #latinLetter(position: number, isUpperCase: boolean): string {
    const letter = this.pick(position % 2 === 0 ? CONSONANTS : VOWELS, "a");
    return isUpperCase ? letter.toUpperCase() : letter;
  }
}
