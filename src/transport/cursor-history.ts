/** Stores which cursors led to a page, in a few bytes each: a walk may have many pages, and a cursor may be long. */

/** A number of 53 bits for a text (the hash that is known as cyrb53). Two texts very rarely have the same number. */
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
 * The cursors that led to a page of a walk. The pages of one walk share a map. If the next page is fetched twice and
 * the results have different cursors, the walk divides into two, and the second one gets a copy of the map.
 */
export class CursorHistory {
  /** Random, so that the service cannot choose cursors whose digests collide. */
  readonly #seed: number;
  /** Maps the digest of each cursor of the walk to the position of that cursor. */
  readonly #positions: Map<number, number>;
  /** How many of these cursors led to this page. */
  readonly #length: number;

  constructor(seed = Math.floor(Math.random() * 0xffffffff), positions = new Map<number, number>(), length = 0) {
    this.#seed = seed;
    this.#positions = positions;
    this.#length = length;
  }

  includes(cursor: string): boolean {
    return (this.#positions.get(digest(cursor, this.#seed)) ?? this.#length) < this.#length;
  }

  /** The history of the page that `cursor` leads to. */
  followedBy(cursor: string): CursorHistory {
    const added = digest(cursor, this.#seed);
    const length = this.#length;
    const canShare = this.#positions.size === length || this.#positions.get(added) === length;
    const positions = canShare ? this.#positions : new Map([...this.#positions].slice(0, length));
    positions.set(added, length);
    return new CursorHistory(this.#seed, positions, length + 1);
  }
}
