/**
 * Replaces the timers and the clock of this process. Time passes only in `passUntil`: from one timer to the next, each
 * time after everything has happened that needs no time.
 */

/** The reading of a response takes some turns of the event loop. */
const TURNS = 25;

export function simulateTime(startMs) {
  const RealDate = Date;
  const timers = new Map();
  let now = startMs;
  let count = 0;
  let inFlight = 0;

  globalThis.Date = class extends RealDate {
    constructor(...values) {
      super(...(values.length === 0 ? [now] : values));
    }
    static now = () => now;
  };
  performance.now = () => now - startMs;
  globalThis.setTimeout = (callback, ms = 0, ...values) => {
    count += 1;
    const id = count;
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true, [Symbol.toPrimitive]: () => id };
    timers.set(id, { at: now + Math.max(1, Number(ms) || 0), run: () => callback(...values) });
    return timer;
  };
  globalThis.clearTimeout = (timer) => void (timer && timers.delete(Number(timer)));

  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn += inFlight > 0 ? 0 : 1)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    /** A `fetch` that needs no time. */
    timeless:
      (fetch) =>
      async (...request) => {
        inFlight += 1;
        try {
          return await fetch(...request);
        } finally {
          inFlight -= 1;
        }
      },
    /** `isDone` is asked between two timers. */
    async passUntil(endMs, isDone = () => false) {
      for (;;) {
        await settle();
        if (isDone()) return;
        let next;
        for (const [id, { at }] of timers) if (next === undefined || at < timers.get(next).at) next = id;
        const timer = timers.get(next);
        if (timer === undefined || timer.at > endMs) break;
        now = Math.max(now, timer.at);
        timers.delete(next);
        timer.run();
      }
      now = Math.max(now, endMs);
    },
  };
}
