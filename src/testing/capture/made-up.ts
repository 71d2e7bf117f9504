/**
 * Makes up what replaces the content of a captured account. Everything comes from numbers with a fixed start, never
 * from the original, so a replacement cannot be used to check a guess of the original.
 */
import { conferenceService } from "../../links/conference-link.js";
import { randomInteger } from "../state/random.js";

/** The start of the random numbers in every capture, so that two captures of one account are the same. */
const RANDOM_START = 0x5eed;

const CONSONANTS = "bcdfghjklmnprstvwz";
const VOWELS = "aeiou";

/** Text without spaces, as in Chinese, counts as one word for this many characters. */
const WORD_LENGTH = 16;

export class MadeUp {
  readonly #random = { random: RANDOM_START };
  readonly #used = new Set<string>();
  #ids = 0;

  /** Nothing that is made up is the same as one of the original texts. */
  constructor(private readonly originals: ReadonlySet<string>) {}

  /** An id with the prefix of the original. The numbers keep the order of records that are sorted by id. */
  id(prefix: string): string {
    return this.#unused(() => {
      this.#ids += 1;
      return `${prefix}x${this.#ids.toString(36).padStart(5, "0")}`;
    });
  }

  /** A URL; for a join link, one of the same conference service. */
  url(original: string): string {
    return this.#unused(() => {
      switch (conferenceService(original)) {
        case "zoom":
          return `https://zoom.us/j/${10_000_000_000 + randomInteger(this.#random, 1_000_000_000)}`;
        case "google_meet":
          return `https://meet.google.com/${this.#letters(3)}-${this.#letters(4)}-${this.#letters(3)}`;
        case "teams":
          return `https://teams.microsoft.com/l/meetup-join/${this.#letters(12)}`;
        case "webex":
          return `https://example.webex.com/meet/${this.#letters(8)}`;
        default:
          return `https://www.example.com/${this.#letters(8)}`;
      }
    });
  }

  /** About as many words as the original has, or an e-mail address. */
  words(original: string): string {
    if (/^[^\s@]+@[^\s@]+$/.test(original)) return this.#unused(() => `${this.#letters(8)}@example.com`);
    const counts = original
      .trim()
      .split(/\s+/)
      .map(({ length }) => Math.max(1, Math.round(length / WORD_LENGTH)));
    return this.#phrase(
      counts.reduce((sum, count) => sum + count),
      " ",
    );
  }

  /** The name of a field, with about as many words as the original has. */
  fieldName(original: string): string {
    return this.#phrase(Math.max(1, original.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), "_");
  }

  /** A number with as many digits before the point, and a fraction if the original has one. */
  number(original: number): number {
    const digits = Math.min(String(Math.trunc(Math.abs(original))).length, 15);
    const whole = 10 ** (digits - 1) + randomInteger(this.#random, 9 * 10 ** (digits - 1));
    return Math.sign(original) * (Number.isInteger(original) ? whole : whole + 0.25);
  }

  #phrase(count: number, separator: string): string {
    return this.#unused(() =>
      Array.from({ length: count }, () => this.#letters(3 + randomInteger(this.#random, 6))).join(separator),
    );
  }

  #letters(count: number): string {
    const letter = (_: unknown, index: number) => {
      const letters = index % 2 === 0 ? CONSONANTS : VOWELS;
      return letters.charAt(randomInteger(this.#random, letters.length));
    };
    return Array.from({ length: count }, letter).join("");
  }

  #unused(make: () => string): string {
    let made = make();
    while (this.#used.has(made) || this.originals.has(made)) made = make();
    this.#used.add(made);
    return made;
  }
}
