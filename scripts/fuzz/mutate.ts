/** Changes inputs at random: bits, bytes, pieces, and words that have a meaning for parsers. */

/** A small random number generator with a seed (mulberry32), so that a run can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = [
  ..."{}[]\":,\\/<>&;=%?#-_.'\0\r\n \t",
  ...["null", "true", "-0", "1e999", "9007199254740993", "__proto__", "constructor", "toString", "\\u0000", "\\ud800"],
  ...["\ud83d\ude00", "\u2028", "\ufeff", "\r\n", "\n\n", "data:", "id:", "%00", "%2F", "..", "--", "[[[[[[[[", "{}{}"],
].map((word) => Buffer.from(word));

const MAX_LENGTH = 8_192;

type Random = () => number;
type Mutation = (input: Buffer, random: Random, other: Buffer) => Buffer;

const below = (random: Random, limit: number) => Math.floor(random() * limit);
const splice = (input: Buffer, from: number, to: number, insert: Uint8Array) =>
  Buffer.concat([input.subarray(0, from), insert, input.subarray(to)]);
const part = (input: Buffer, random: Random) => {
  const from = below(random, input.length + 1);
  return input.subarray(from, from + 1 + below(random, 64));
};

const MUTATIONS: readonly Mutation[] = [
  // Flips a bit.
  (input, random) => {
    const copy = Buffer.from(input);
    const at = below(random, copy.length);
    if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
    return copy;
  },
  // Inserts a byte.
  (input, random) => {
    const at = below(random, input.length + 1);
    return splice(input, at, at, Buffer.of(below(random, 256)));
  },
  // Inserts a word, or replaces up to two bytes by it.
  (input, random) => {
    const at = below(random, input.length + 1);
    return splice(input, at, at + below(random, 3), WORDS[below(random, WORDS.length)] ?? Buffer.alloc(0));
  },
  // Removes a piece.
  (input, random) => {
    const at = below(random, input.length + 1);
    return splice(input, at, at + 1 + below(random, 32), Buffer.alloc(0));
  },
  // Cuts off the end.
  (input, random) => input.subarray(0, below(random, input.length + 1)),
  // Inserts a piece several times.
  (input, random) => {
    const at = below(random, input.length + 1);
    return splice(input, at, at, Buffer.concat(Array(1 + below(random, 40)).fill(part(input, random))));
  },
  // Inserts a piece of another input.
  (input, random, other) => {
    const at = below(random, input.length + 1);
    return splice(input, at, at + below(random, 16), part(other, random));
  },
];

export function mutate(input: Buffer, other: Buffer, random: Random): Buffer {
  let result = input;
  for (let left = 1 + below(random, 4); left > 0; left -= 1) {
    result = MUTATIONS[below(random, MUTATIONS.length)]?.(result, random, other) ?? result;
  }
  return result.subarray(0, MAX_LENGTH);
}
