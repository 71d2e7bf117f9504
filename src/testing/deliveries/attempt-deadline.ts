/**
 * The deadline for a receiver to respond. It is measured in real time. If a test advances the emulator's clock past the
 * deadline, the attempt ends soon after that, so that the test need not wait.
 */
import { DELIVERY_TIMEOUT_MS } from "../../assumptions.js";

/**
 * After the clock was advanced past the deadline, a receiver still has a short time of real time, so that a receiver
 * that responds promptly does not time out. This time is counted in turns of a timer: if the machine stalls under load,
 * only one turn passes.
 */
const GRACE_TURNS = 40;
const TURN_MS = 10;

interface InFlightAttempt {
  /** In the time of the emulator. */
  readonly deadline: number;
  readonly expire: () => void;
  inGrace: boolean;
}

/** The attempts in flight. */
export class InFlightAttempts {
  readonly #attempts = new Set<InFlightAttempt>();
  /** Returns the emulator's time. */
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs an attempt with a signal that aborts at the deadline, which is counted from `at`. */
  async run<T>(at: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; expired: boolean }> {
    const controller = new AbortController();
    const expire = () => controller.abort(new Error(`no response within ${DELIVERY_TIMEOUT_MS} ms`));
    const timer = setTimeout(expire, DELIVERY_TIMEOUT_MS);
    const inFlight = { deadline: at + DELIVERY_TIMEOUT_MS, expire, inGrace: false };
    this.#attempts.add(inFlight);
    this.check();
    try {
      const result = await attempt(controller.signal);
      return { result, expired: controller.signal.aborted };
    } finally {
      clearTimeout(timer);
      this.#attempts.delete(inFlight);
    }
  }

  /** Checks the deadlines. Must be called after the clock was advanced. */
  check(): void {
    for (const attempt of this.#attempts) {
      if (attempt.inGrace || this.#now() < attempt.deadline) continue;
      attempt.inGrace = true;
      this.#expireAfter(GRACE_TURNS, attempt);
    }
  }

  #expireAfter(turns: number, attempt: InFlightAttempt): void {
    setTimeout(() => {
      if (turns <= 1) attempt.expire();
      else if (this.#attempts.has(attempt)) this.#expireAfter(turns - 1, attempt);
    }, TURN_MS);
  }

  expireAll(): void {
    for (const attempt of this.#attempts) attempt.expire();
  }
}
