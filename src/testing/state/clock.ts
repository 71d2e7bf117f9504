/**
 * The emulator's own time. It stands still until it is advanced, or follows a clock that it was given. What is due later
 * waits as data in the state, so that a snapshot holds it.
 */

import type { Task, TaskStep } from "./records.js";

interface ClockState {
  elapsed: number;
  tasks: Task[];
}

export interface ClockOptions {
  /** The time at the start, or a clock to follow. */
  now: number | (() => number);
  /** The state as it is at the time of the call: restoring replaces it. */
  state: () => ClockState;
  run: (task: Task) => void;
}

export class InternalClock {
  readonly #options: ClockOptions;
  /** The time of the task that is being run: a step that comes late still happens at its time. */
  #running: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  now(): number {
    if (this.#running !== undefined) return this.#running;
    const { now, state } = this.#options;
    return (typeof now === "number" ? now : now()) + state().elapsed;
  }

  /** The time as the service writes it. */
  timestamp(offsetMs = 0): string {
    return new Date(this.now() + offsetMs).toISOString();
  }

  schedule(delayMs: number, step: TaskStep, subject: string): void {
    this.scheduleAt(this.now() + delayMs, step, subject);
  }

  scheduleAt(at: number, step: TaskStep, subject: string): void {
    const { tasks } = this.#options.state();
    // Kept in order of time, and in order of asking where the times are the same.
    const later = tasks.findIndex((task) => task.at > at);
    tasks.splice(later === -1 ? tasks.length : later, 0, { at, step, subject });
    this.#arm();
  }

  unschedule(step: TaskStep, subject: string): void {
    const state = this.#options.state();
    state.tasks = state.tasks.filter((task) => task.step !== step || task.subject !== subject);
  }

  /** Moves time on and takes the steps that come due on the way, each at its own time. */
  advance(ms: number): void {
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      throw new TypeError(`clock.advance: expected milliseconds from 0 up, received ${String(ms)}`);
    }
    this.#options.state().elapsed += ms;
    this.catchUp();
  }

  /** Takes the steps that are due. */
  catchUp(): void {
    if (this.#running !== undefined) return;
    const { state, run } = this.#options;
    if (state().tasks.length === 0) return;
    const now = this.now();
    try {
      for (let task = state().tasks[0]; task !== undefined && task.at <= now; task = state().tasks[0]) {
        state().tasks.shift();
        this.#running = task.at;
        run(task);
      }
    } finally {
      this.#running = undefined;
    }
    this.#arm();
  }

  /** On a clock that moves by itself, wakes for the next step; that never keeps a process alive. */
  #arm(): void {
    if (typeof this.#options.now === "number" || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const next = this.#options.state().tasks[0];
    if (next === undefined) return;
    const delay = Math.min(Math.max(next.at - this.now(), 0), 2_147_483_647);
    this.#timer = setTimeout(() => this.catchUp(), delay);
    if (typeof this.#timer === "object") this.#timer.unref?.();
  }
}
