/** Finds out when a connection of the relay needs a heartbeat, and when its reader has stopped reading. */

/** A reader that requests no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/**
 * The timer of one connection. It reports when a quiet connection needs a heartbeat, and when the reader has stopped
 * reading.
 */
export class Heartbeat {
  readonly #intervalMs: number;
  readonly #onDue: () => void;
  readonly #onStalled: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isDue = false;
  /** How long the reader has requested no data. */
  #stalledMs = 0;

  constructor(intervalMs: number, onDue: () => void, onStalled: () => void) {
    this.#intervalMs = intervalMs;
    this.#onDue = onDue;
    this.#onStalled = onStalled;
  }

  start(): void {
    this.#timer = setInterval(() => this.#beat(), this.#intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The reader requested more. */
  readerIsActive(): void {
    this.#stalledMs = 0;
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  /** Something was sent to the reader. */
  written(): void {
    this.#isDue = false;
  }

  #beat(): void {
    this.#isDue = true;
    this.#onDue();
    if (this.#stalledMs >= STALLED_MS) this.#onStalled();
    this.#stalledMs += this.#intervalMs;
  }
}
