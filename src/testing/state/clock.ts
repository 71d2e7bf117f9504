/** The emulator's clock: it stands still until it is advanced, or follows another clock, possibly faster. */
import { MAX_TIMER_MS } from "../../async/timers.js";
import { quoted } from "../../checks/format-issues.js";
import { EmulatorError } from "../emulator-error.js";

/** The latest time that a `Date` can represent. */
export const LATEST_MS = 8.64e15;

export interface TimeSource {
  now: number | (() => number);
  /** Milliseconds of the emulator's time per millisecond of real time. */
  speed: number;
  /** The real time, if the clock follows another one. */
  real?: () => number;
}

export class InternalClock {
  #elapsed = 0;
  /** What happens later, at times in milliseconds since 1970; the next one is the first. */
  #tasks: { readonly at: number; run(): unknown }[] = [];
  /** The time of the running task. A step that runs late still happens at its own time. */
  #running: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly source: TimeSource) {}

  get speed(): number {
    return this.source.speed;
  }

  now(): number {
    if (this.#running !== undefined) return this.#running;
    const { now } = this.source;
    return (typeof now === "number" ? now : now()) + this.#elapsed;
  }

  /** When the clock reaches the time `at`, in real milliseconds since 1970: programs wait in real time. */
  realTimeOf(at: number): number {
    const { real, speed } = this.source;
    return real === undefined ? at : real() + (at - this.now()) / speed;
  }

  timestamp(offsetMs = 0): string {
    return new Date(this.now() + offsetMs).toISOString();
  }

  /** Tasks of the same time run in the order in which they were scheduled. */
  schedule(at: number, run: () => unknown): void {
    this.#tasks.splice(this.#tasks.findLastIndex((task) => task.at <= at) + 1, 0, { at, run });
    this.#setTimer();
  }

  advance(ms: number): void {
    if (typeof ms !== "number" || !(ms >= 0 && this.now() + ms <= LATEST_MS)) {
      throw new EmulatorError(
        `clock.advance: expected milliseconds from 0 up, within the range of Date, received ${quoted(ms)}`,
      );
    }
    this.#elapsed += ms;
    this.catchUp();
  }

  catchUp(): void {
    if (this.#running !== undefined) return;
    const now = this.now();
    try {
      for (let [next] = this.#tasks; next !== undefined && next.at <= now; [next] = this.#tasks) {
        this.#tasks.shift();
        this.#running = next.at;
        next.run();
      }
    } finally {
      this.#running = undefined;
    }
    this.#setTimer();
  }

  reset(): void {
    this.#elapsed = 0;
    this.#tasks = [];
    clearTimeout(this.#timer);
  }

  /** If the clock follows another one, sets a timer for the next task. The timer does not keep the process alive. */
  #setTimer(): void {
    if (typeof this.source.now === "number" || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const [next] = this.#tasks;
    if (next === undefined) return;
    const delayMs = Math.min(Math.max((next.at - this.now()) / this.speed, 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.catchUp(), delayMs);
    if (typeof this.#timer === "object") this.#timer.unref?.();
  }
}
