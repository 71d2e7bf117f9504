/** Pseudo-random numbers and texts. They are the same in every run with the same seed number. */

export interface RandomState {
  random: number;
}

/** The next number, at least 0 and less than 1 (mulberry32). */
function nextRandom(state: RandomState): number {
  state.random = (state.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state.random ^ (state.random >>> 15), 1 | state.random);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

export const randomInteger = (state: RandomState, end: number) => Math.floor(nextRandom(state) * end);

const LETTERS_AND_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const HEXADECIMAL_DIGITS = "0123456789abcdef";

export function randomText(state: RandomState, length: number, alphabet = LETTERS_AND_DIGITS): string {
  let text = "";
  for (let count = 0; count < length; count++) text += alphabet.charAt(randomInteger(state, alphabet.length));
  return text;
}

/** An id in the form of the service: a prefix such as `mtg_`, and sixteen letters and digits. */
export const newId = <P extends string>(state: RandomState, prefix: P): `${P}${string}` =>
  `${prefix}${randomText(state, 16)}`;

/** The emulator's own choice: the API specification defines no prefix for the id of a permission. */
export const PERMISSION_PREFIX = "perm_";

export const randomHex = (state: RandomState, length: number) => randomText(state, length, HEXADECIMAL_DIGITS);

export const newWebhookSecret = (state: RandomState) => `whsec_${randomHex(state, 48)}`;
