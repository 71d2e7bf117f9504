/** Which cursors led to a page, in a few bytes each, so that `page.ts` can refuse one that comes again. */
import { digest } from "../json/digest.js";

/** The pages of one walk share a map. If a page is fetched twice and the cursors differ, the second gets a copy. */
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

  followedBy(cursor: string): CursorHistory {
    const added = digest(cursor, this.#seed);
    const length = this.#length;
    const canShare = this.#positions.size === length || this.#positions.get(added) === length;
    const positions = canShare ? this.#positions : new Map([...this.#positions].slice(0, length));
    positions.set(added, length);
    return new CursorHistory(this.#seed, positions, length + 1);
  }
}
