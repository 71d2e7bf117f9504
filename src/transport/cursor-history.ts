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

const INITIAL_CAPACITY = 16;

/**
 * The cursors of one walk, in their order. Pages share it, each with the number of cursors that led to it: a page that
 * is continued a second time, and elsewhere, gets a copy.
 */
export class CursorHistory {
  /** The service must not be able to choose cursors that collide. */
  readonly #seed: number;
  #digests = new Float64Array(0);
  #count = 0;
  /** A hash table of places in `#digests`, each one too high: 0 is a free slot. At most half of it is taken. */
  #slots = new Uint32Array(0);

  constructor(seed = Math.floor(Math.random() * 0xffffffff)) {
    this.#seed = seed;
  }

  /** Whether `cursor` is one of the first `length` cursors. */
  includes(cursor: string, length: number): boolean {
    return this.#placeOf(digest(cursor, this.#seed)) < length;
  }

  /**
   * The history in which `cursor` follows the first `length` cursors: this one, or a copy if another one follows here.
   */
  extended(cursor: string, length: number): CursorHistory {
    const added = digest(cursor, this.#seed);
    if (length === this.#count) {
      this.#append(added);
      return this;
    }
    if (this.#digests[length] === added) return this;
    const copy = new CursorHistory(this.#seed);
    for (const known of this.#digests.subarray(0, length)) copy.#append(known);
    copy.#append(added);
    return copy;
  }

  #placeOf(wanted: number): number {
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    const taken = this.#slots[this.#slotOf(wanted)] ?? 0;
    return taken === 0 ? Number.POSITIVE_INFINITY : taken - 1;
  }

  /** The slot that holds `wanted`, or the free one that it belongs in. */
  #slotOf(wanted: number): number {
    const mask = this.#slots.length - 1;
    let slot = wanted & mask;
    for (;;) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0 || this.#digests[taken - 1] === wanted) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #append(added: number): void {
    if (this.#count === this.#digests.length) this.#grow();
    this.#digests[this.#count] = added;
    this.#count += 1;
    this.#slots[this.#slotOf(added)] = this.#count;
  }

  #grow(): void {
    const digests = new Float64Array(Math.max(INITIAL_CAPACITY, this.#digests.length * 2));
    digests.set(this.#digests);
    this.#digests = digests;
    this.#slots = new Uint32Array(digests.length * 2);
    for (let place = 0; place < this.#count; place += 1) this.#slots[this.#slotOf(digests[place] ?? 0)] = place + 1;
  }
}
