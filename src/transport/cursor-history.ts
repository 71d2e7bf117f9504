/** Which cursors led to a page, in a few bytes each: a walk may have any number of pages, a cursor any length. */

/** A number of 53 bits for a text (the hash that is known as cyrb53). Two texts hardly ever have the same one. */
function digest(text: string, seed: number): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/**
 * The cursors of one walk. Pages share it, each with the number of cursors that led to it: a page that is continued a
 * second time, and elsewhere, gets a copy.
 */
export class CursorHistory {
  /** The service must not be able to choose cursors that collide. */
  readonly #seed: number;
  /** The digest of each cursor, in their order, with its place. */
  readonly #places: Map<number, number>;

  constructor(seed = Math.floor(Math.random() * 0xffffffff), places: Iterable<[number, number]> = []) {
    this.#seed = seed;
    this.#places = new Map(places);
  }

  /** Whether `cursor` is one of the first `length` cursors. */
  includes(cursor: string, length: number): boolean {
    return (this.#places.get(digest(cursor, this.#seed)) ?? length) < length;
  }

  /**
   * The history in which `cursor` follows the first `length` cursors: this one, or a copy if another one follows here.
   */
  extended(cursor: string, length: number): CursorHistory {
    const added = digest(cursor, this.#seed);
    if (this.#places.get(added) === length) return this;
    const isShared = this.#places.size > length;
    const history = isShared ? new CursorHistory(this.#seed, [...this.#places].slice(0, length)) : this;
    history.#places.set(added, length);
    return history;
  }
}
