/** Time that passes while the process sleeps, whatever clock a test runner fakes. */
import { pause, startTimer } from "./timers.js";

/** Milliseconds. Never earlier than the end of its last timer: fake timers may leave `performance.now` behind. */
export class Clock {
  #aheadMs = 0;

  now(): number {
    return performance.now() + this.#aheadMs;
  }

  startTimer(ms: number, callback: () => void): () => void {
    const endsAt = this.now() + ms;
    return startTimer(ms, () => {
      this.#reach(endsAt);
      callback();
    });
  }

  async pause(ms: number, signal?: AbortSignal | undefined, wake?: Promise<void>): Promise<void> {
    const endsAt = this.now() + ms;
    let isWoken = false;
    await pause(
      ms,
      signal,
      wake?.then(() => {
        isWoken = true;
      }),
    );
    if (!isWoken) this.#reach(endsAt);
  }

  #reach(time: number): void {
    this.#aheadMs += Math.max(0, time - this.now());
  }
}
