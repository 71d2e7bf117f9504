/** Ids in the order of their UTF-8 bytes, which is the order of their code points. */
export class SortedIds {
  readonly #ids: string[] = [];

  add(id: string): void {
    const index = this.#indexOf(id);
    if (this.#ids[index] !== id) this.#ids.splice(index, 0, id);
  }

  delete(id: string): void {
    const index = this.#indexOf(id);
    if (this.#ids[index] === id) this.#ids.splice(index, 1);
  }

  /** At most `max` ids after this one, or from the first. */
  after(id: string | undefined, max: number): string[] {
    const index = id === undefined ? 0 : this.#indexOf(id);
    const from = id !== undefined && this.#ids[index] === id ? index + 1 : index;
    return this.#ids.slice(from, from + max);
  }

  /** Where `id` is, or where it belongs. */
  #indexOf(id: string): number {
    let from = 0;
    let to = this.#ids.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compareBytes(this.#ids[middle] ?? "", id) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function compareBytes(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = rankOf(left.charCodeAt(index)) - rankOf(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A surrogate is half of a code point that comes after all those of one unit. */
const rankOf = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
