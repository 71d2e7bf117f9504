/**
 * Replaces the timers and the clock of this process. Time passes only in `passUntil`: from one timer to the next, each
 * time after everything has happened that needs no time.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** The reading of a response takes some turns of the event loop. */
const TURNS = 25;

export function simulateTime(startMs) {
  const RealDate = Date;
  const timers = new Map();
  const lives = new AsyncLocalStorage();
  let now = startMs;
  let count = 0;
  let inFlight = 0;
  let onLanding = () => {};

  globalThis.Date = class extends RealDate {
    constructor(...values) {
      super(...(values.length === 0 ? [now] : values));
    }
    static now = () => now;
  };
  performance.now = () => now - startMs;
  const startTimer = (run, ms, everyMs) => {
    count += 1;
    const id = count;
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true, [Symbol.toPrimitive]: () => id };
    timers.set(id, { at: now + Math.max(1, Number(ms) || 0), run, everyMs, life: lives.getStore() });
    return timer;
  };
  globalThis.setTimeout = (callback, ms, ...values) => startTimer(() => callback(...values), ms);
  globalThis.setInterval = (callback, ms, ...values) => startTimer(() => callback(...values), ms, Math.max(1, ms));
  globalThis.clearTimeout = (timer) => void (timer && timers.delete(Number(timer)));
  globalThis.clearInterval = globalThis.clearTimeout;

  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      while (inFlight > 0) {
        await new Promise((resolve) => {
          onLanding = resolve;
        });
        turn = 0;
      }
    }
  };
  return {
    /** What this function does needs no time. */
    timeless:
      (work) =>
      async (...values) => {
        inFlight += 1;
        try {
          return await work(...values);
        } finally {
          inFlight -= 1;
          onLanding();
        }
      },
    /** Runs a program that can be killed: its timers never fire after that, and it continues nowhere. */
    runProgram(program) {
      const life = {};
      lives.run(life, program);
      return {
        kill() {
          for (const [id, timer] of timers) if (timer.life === life) timers.delete(id);
        },
      };
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
        if (timer.everyMs === undefined) timers.delete(next);
        else timer.at = now + timer.everyMs;
        timer.life === undefined ? timer.run() : lives.run(timer.life, timer.run);
      }
      now = Math.max(now, endMs);
    },
  };
}
