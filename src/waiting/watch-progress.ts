/** The progress of a watch: which meetings it has returned, and how far back in time it still has to look. */
import { DAY_MS, MINUTE_MS } from "../async/timers.js";

/**
 * How far back the watch looks from the newest returned meeting, for meetings that complete late. It is twice the day
 * that `Meetings.watch` promises.
 */
const LOOK_BACK_MS = 2 * DAY_MS;

/** If the list shows an unfinished meeting, the watch looks back to that meeting, but at most this far. */
const UNFINISHED_LOOK_BACK_MS = 7 * DAY_MS;

/** Unneeded ids are removed when there are this many more than twice the ids that the last removal kept. */
const SPARE_IDS = 100;

const CURSOR_PREFIX = "watch1:";
/** A cursor without it has been cut off. */
const CURSOR_END = ";";

/** Whether `value` begins like a cursor. */
export const isCursor = (value: unknown): value is string =>
  typeof value === "string" && /^watch1:-?\d{1,15}:/.test(value);

/**
 * The text for a meeting in a cursor: its id and its end, rounded up to a minute; the end is empty if it has no time.
 */
const entryOf = (id: string, time: number) =>
  `${encodeURIComponent(id)}=${Number.isFinite(time) ? Math.ceil(time / MINUTE_MS).toString(36) : ""}`;

function readEntry(entry: string): [id: string, time: number] {
  const [id = "", minutes = ""] = entry.split("=");
  return [decodeURIComponent(id), minutes === "" ? Number.POSITIVE_INFINITY : Number.parseInt(minutes, 36) * MINUTE_MS];
}

export class WatchProgress {
  /** A time in milliseconds since 1970: meetings that ended earlier are not returned. It never decreases. */
  floor: number;
  /** The meetings that were returned and may be listed again, with the times of their ends. */
  #returned = new Map<string, number>();
  /**
   * The same meetings as text for the cursor. Each new meeting only appends its entry, so that making a cursor is
   * cheap.
   */
  #entries = "";
  #newest = Number.NEGATIVE_INFINITY;
  #reviewAt = 0;

  /** `since` is a time or a cursor. Throws a `URIError` for a damaged cursor, or one that was cut off. */
  constructor(since: Date | string) {
    if (isCursor(since)) {
      if (!since.endsWith(CURSOR_END)) throw new URIError("the cursor has no end");
      const [, floor = "", entries = ""] = since.slice(0, -CURSOR_END.length).split(":");
      this.floor = Number(floor);
      this.#returned = new Map(entries.split(",").filter(Boolean).map(readEntry));
    } else {
      this.floor = new Date(since).getTime();
    }
    this.#review();
  }

  has(id: string): boolean {
    return this.#returned.has(id);
  }

  /**
   * Adds a returned meeting, and returns the cursor after it. `unfinished` are the times of meetings that are not
   * completed, in chronological order.
   */
  add(id: string, time: number, unfinished: readonly number[], now: number): string {
    // A meeting whose end is in the future must not hide meetings that end before it.
    if (Number.isFinite(time)) this.#newest = Math.max(this.#newest, Math.min(time, now));
    const firstUnfinished = unfinished.find((end) => end >= this.#newest - UNFINISHED_LOOK_BACK_MS);
    const floor = Math.min(this.#newest - LOOK_BACK_MS, firstUnfinished ?? Number.POSITIVE_INFINITY);
    this.floor = Math.max(this.floor, Math.floor(floor));
    this.#returned.set(id, time);
    this.#entries += `${this.#entries === "" ? "" : ","}${entryOf(id, time)}`;
    if (this.#returned.size > this.#reviewAt) this.#review();
    return `${CURSOR_PREFIX}${this.floor}:${this.#entries}${CURSOR_END}`;
  }

  /** Removes the meetings that ended before `floor`. */
  #review(): void {
    const kept = [...this.#returned].filter(([, time]) => time >= this.floor);
    this.#returned = new Map(kept);
    this.#entries = kept.map(([id, time]) => entryOf(id, time)).join(",");
    this.#reviewAt = 2 * kept.length + SPARE_IDS;
  }
}
