/** How far a watch has come: which meetings it has returned, and how far back it still has to look. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * How long after a meeting has ended the watch still looks for others that ended before it and were not completed yet:
 * twice the day that is promised.
 */
const LOOK_BACK_MS = 2 * DAY_MS;

/** A meeting that the list shows as unfinished is looked for longer: as long as this. */
const UNFINISHED_LOOK_BACK_MS = 7 * DAY_MS;

/** So many more ids may be kept than are needed, before they are looked through. */
const SPARE_IDS = 100;

const CURSOR_PREFIX = "watch1:";

/** Whether `value` has the form of a cursor. */
export const isCursor = (value: unknown): value is string =>
  typeof value === "string" && /^watch1:-?\d{1,15}:/.test(value);

/** The meeting's end, rounded up to a minute; empty if it has no time. */
const entryOf = (id: string, time: number) =>
  `${encodeURIComponent(id)}=${Number.isFinite(time) ? Math.ceil(time / MINUTE_MS).toString(36) : ""}`;

function readEntry(entry: string): [id: string, time: number] {
  const [id = "", minutes = ""] = entry.split("=");
  return [decodeURIComponent(id), minutes === "" ? Number.POSITIVE_INFINITY : Number.parseInt(minutes, 36) * MINUTE_MS];
}

export class WatchProgress {
  /** Meetings that ended before it are not returned, in milliseconds since 1970. It never goes back. */
  floor: number;
  /** The meetings that were returned and may be listed again, with the time of their end. */
  #returned: Map<string, number>;
  /** The same meetings as text for the cursor. Each meeting only appends its entry, so that a new cursor is cheap. */
  #entries: string;
  #newest = Number.NEGATIVE_INFINITY;
  #reviewAt: number;

  /** From a moment, or from a cursor. Throws a `URIError` for a cursor that was damaged. */
  constructor(since: Date | string) {
    this.#returned = new Map();
    if (isCursor(since)) {
      const [, floor = "", entries = ""] = since.split(":");
      this.floor = Number(floor);
      this.#returned = new Map(entries.split(",").filter(Boolean).map(readEntry));
    } else {
      this.floor = new Date(since).getTime();
    }
    this.#entries = "";
    this.#reviewAt = 0;
    this.#review();
  }

  has(id: string): boolean {
    return this.#returned.has(id);
  }

  /**
   * The cursor after a further meeting. `unfinished` are the ends of meetings that are not completed, in chronological
   * order.
   */
  add(id: string, time: number, unfinished: readonly number[], now: number): string {
    // A meeting whose end is in the future must not hide those that end before it.
    if (Number.isFinite(time)) this.#newest = Math.max(this.#newest, Math.min(time, now));
    const firstUnfinished = unfinished.find((end) => end >= this.#newest - UNFINISHED_LOOK_BACK_MS);
    const floor = Math.min(this.#newest - LOOK_BACK_MS, firstUnfinished ?? Number.POSITIVE_INFINITY);
    this.floor = Math.max(this.floor, Math.floor(floor));
    this.#returned.set(id, time);
    this.#entries += `${this.#entries === "" ? "" : ","}${entryOf(id, time)}`;
    if (this.#returned.size > this.#reviewAt) this.#review();
    return `${CURSOR_PREFIX}${this.floor}:${this.#entries}`;
  }

  /** Forgets the meetings that ended before the floor. */
  #review(): void {
    const kept = [...this.#returned].filter(([, time]) => time >= this.floor);
    this.#returned = new Map(kept);
    this.#entries = kept.map(([id, time]) => entryOf(id, time)).join(",");
    this.#reviewAt = 2 * kept.length + SPARE_IDS;
  }
}
