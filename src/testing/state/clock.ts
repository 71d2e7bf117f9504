/**
 * The emulator's clock: it stands still until it is advanced, or follows another clock, possibly faster. Its tasks are
 * data in the state, so that a snapshot contains them.
 */
import { MAX_TIMER_MS } from "../../async/timers.js";
import { quoted } from "../../checks/format-issues.js";
import { EmulatorError } from "../emulator-error.js";

/** The latest time that a `Date` can represent. */
export const LATEST_MS = 8.64e15;

export interface Task {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly account: number;
  readonly step: TaskStep;
  /** The id of the record, or the key of what the lag hides. */
  readonly subject: string;
}

export type TaskStep =
  | "bot.create"
  | "bot.admit"
  | "bot.leave"
  | "bot.cancel"
  | "event.start"
  | "meeting.transcribe"
  | "meeting.summarise"
  | "lag.end"
  | "delivery.due";

interface ClockState {
  /** The milliseconds by which the clock was advanced. */
  elapsed: number;
  /** The tasks of all accounts. The next one is the last. */
  tasks: Task[];
}

export interface TimeSource {
  /** The time at the start, or a clock to follow. */
  now: number | (() => number);
  /** Milliseconds of the emulator's time per millisecond of real time. */
  speed: number;
  /** The real time, if the clock follows another one. */
  real?: () => number;
}

export class InternalClock {
  /** The time of the running task. A step that runs late still happens at its own time. */
  #running: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `holder` is the owner of the state. It is asked at each use, because restoring a snapshot replaces the state. */
  constructor(
    private readonly source: TimeSource,
    private readonly holder: { readonly state: ClockState },
    private readonly onDue: (task: Task) => void,
  ) {}

  get speed(): number {
    return this.source.speed;
  }

  now(): number {
    if (this.#running !== undefined) return this.#running;
    const { now } = this.source;
    return (typeof now === "number" ? now : now()) + this.holder.state.elapsed;
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
  schedule(task: Task): void {
    const { tasks } = this.holder.state;
    let [start, end] = [0, tasks.length];
    while (start < end) {
      const middle = (start + end) >> 1;
      if ((tasks[middle] as Task).at > task.at) start = middle + 1;
      else end = middle;
    }
    tasks.splice(start, 0, task);
    this.setTimer();
  }

  unschedule({ account, step, subject }: Omit<Task, "at">): void {
    const { state } = this.holder;
    state.tasks = state.tasks.filter(
      (task) => task.step !== step || task.subject !== subject || task.account !== account,
    );
  }

  /** Advances the time and runs the tasks that become due, each at its own time. */
  advance(ms: number): void {
    if (typeof ms !== "number" || !(ms >= 0 && this.now() + ms <= LATEST_MS)) {
      throw new EmulatorError(
        `clock.advance: expected milliseconds from 0 up, within the range of Date, received ${quoted(ms)}`,
      );
    }
    this.holder.state.elapsed += ms;
    this.catchUp();
  }

  /** Runs the tasks that are due. */
  catchUp(): void {
    if (this.#running !== undefined) return;
    const due = () => {
      const { tasks } = this.holder.state;
      return (tasks.at(-1)?.at ?? Number.POSITIVE_INFINITY) <= now ? tasks.pop() : undefined;
    };
    const now = this.now();
    try {
      for (let task = due(); task !== undefined; task = due()) {
        this.#running = task.at;
        this.onDue(task);
      }
    } finally {
      this.#running = undefined;
    }
    this.setTimer();
  }

  /** If the clock follows another one, sets a timer for the next task. The timer does not keep the process alive. */
  setTimer(): void {
    if (typeof this.source.now === "number" || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const next = this.holder.state.tasks.at(-1);
    if (next === undefined) return;
    const delayMs = Math.min(Math.max((next.at - this.now()) / this.speed, 0), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.catchUp(), delayMs);
    if (typeof this.#timer === "object") this.#timer.unref?.();
  }
}
