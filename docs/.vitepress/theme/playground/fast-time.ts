/**
 * Time in a program's worker, sixty times as fast: waiting a minute for a transcript takes a second. The time advances
 * in small steps, so that a computer that is busy for a moment lets no request time out.
 */
const STEP_MS = 15;
const SPEED = 60;

interface Timer {
  at: number;
  run: () => void;
  everyMs: number | undefined;
}

type Callback = (...args: unknown[]) => void;

/** Replaces the timers and clocks of this worker. `pending` counts the timers that the program itself has set. */
export function speedUpTime() {
  const { setTimeout: setRealTimeout, setInterval: setRealInterval } = globalThis;
  const startedAt = Date.now();
  const timers = new Map<number, Timer>();
  const own = new Set<number>();
  let now = 0;
  let lastId = 0;

  const remove = (id: number) => {
    own.delete(id);
    timers.delete(id);
  };
  setRealInterval(() => {
    const until = now + STEP_MS * SPEED;
    const due = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at);
    for (const [id, timer] of due) {
      if (!timers.has(id)) continue;
      now = Math.max(now, timer.at);
      if (timer.everyMs === undefined) remove(id);
      else timer.at += timer.everyMs;
      try {
        timer.run();
      } catch (error) {
        reportError(error);
      }
    }
    now = until;
  }, STEP_MS);

  const add = (run: () => void, delayMs: number, everyMs?: number) => {
    lastId += 1;
    timers.set(lastId, { at: now + delayMs, run, everyMs });
    return lastId;
  };
  const later = (callback: Callback, ms = 0, ...args: unknown[]) => add(() => callback(...args), ms);
  const repeat = (callback: Callback, ms = 0, ...args: unknown[]) => {
    const everyMs = Math.max(ms, SPEED);
    return add(() => callback(...args), everyMs, everyMs);
  };
  const ofProgram =
    (set: typeof later): typeof later =>
    (...args) => {
      const id = set(...args);
      own.add(id);
      return id;
    };
  class FastDate extends Date {
    constructor(...args: [] | ConstructorParameters<typeof Date>) {
      super(...((args.length === 0 ? [startedAt + now] : args) as [number]));
    }
    static override now = () => startedAt + now;
  }
  Object.assign(globalThis, {
    setTimeout: later,
    setInterval: repeat,
    clearTimeout: remove,
    clearInterval: remove,
    Date: FastDate,
  });
  performance.now = () => now;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    later(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
    return controller.signal;
  };

  return {
    /** Waits in real time. */
    pause: (ms: number) => new Promise<void>((resolve) => void setRealTimeout(resolve, ms)),
    /** The timers for the program itself: it has not ended while one of them is pending. */
    programTimers: { setTimeout: ofProgram(later), setInterval: ofProgram(repeat) },
    pending: () => own.size,
  };
}
