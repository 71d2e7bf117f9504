/** The newest entries of the log, in the memory of this process. */
import type { LogEntry } from "../../webhooks/relay/event-log.js";
import type { LogPosition } from "./log-position.js";

/** The limits of the window. It drops its oldest entries when it exceeds either of them. */
const MAX_ENTRIES = 1_000;
const MAX_CHARS = 4_000_000;

/** The newest entries that this process has read from the log. Most readers are served from this memory. */
export class LogWindow {
  #end: LogPosition;
  #entries: LogEntry[] = [];
  #chars = 0;

  constructor(end: LogPosition) {
    this.#end = end;
  }

  /** The position after the newest entry. */
  get end(): LogPosition {
    return this.#end;
  }

  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#chars += entry.json?.length ?? 0;
    }
    this.#end = { ...this.#end, number: this.#end.number + entries.length };
    let dropped = 0;
    while (this.#entries.length - dropped > MAX_ENTRIES || this.#chars > MAX_CHARS) {
      this.#chars -= this.#entries[dropped]?.json?.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }

  /** The entries after a position, or `undefined` if it is outside of the window. */
  after({ epoch, number }: LogPosition, limit: number): LogEntry[] | undefined {
    const index = number - (this.#end.number - this.#entries.length);
    if (epoch !== this.#end.epoch || index < 0 || index > this.#entries.length) return undefined;
    return this.#entries.slice(index, index + limit);
  }
}
