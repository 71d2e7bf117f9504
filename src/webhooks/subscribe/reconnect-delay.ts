/** How long to wait before the next connection. */
import { MAX_TIMER_MS } from "../../async/timers.js";

/** The wait between two connections, unless the server says otherwise with `retry:`. */
const DEFAULT_RETRY_MS = 1_000;

/** The shortest wait, whatever the server requests: at most four connections begin in a second. */
const MIN_DELAY_MS = 250;

/** The longest wait that failures can cause, without the random part. */
const MAX_DELAY_MS = 30_000;

/** A connection that was open this long worked, even if it brought no event. */
const WORKED_MS = 1_000;

/** Counts the failed connections in a row of one subscription, and returns the wait after each connection. */
export class ReconnectPolicy {
  /** The wait that the server requested. */
  retryMs = DEFAULT_RETRY_MS;
  #failures = 0;

  /**
   * The wait after a connection that was open for `durationMs`; 0 if it could not be opened. It starts with the time
   * that the server requested, and doubles for each further failure, up to 30 seconds. A random part of up to 50 % is
   * added, so that the readers of a lost server do not all return at once.
   */
  delayAfter({ durationMs, receivedEvent }: { durationMs: number; receivedEvent: boolean }): number {
    this.#failures = receivedEvent || durationMs >= WORKED_MS ? 0 : this.#failures + 1;
    const shortest = Math.max(this.retryMs, MIN_DELAY_MS);
    const doubled = shortest * 2 ** Math.max(0, this.#failures - 1);
    const delayMs = Math.max(shortest, Math.min(MAX_DELAY_MS, doubled));
    return Math.min(MAX_TIMER_MS, Math.floor(delayMs * (1 + Math.random() / 2)));
  }
}
