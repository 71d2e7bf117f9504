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

/** Returns the emulator's time. */
type Now = () => number;

class AttemptDeadline {
  readonly #controller = new AbortController();
  readonly #deadline: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  #inGrace = false;
  #ended = false;

  constructor(deadline: number) {
    this.#deadline = deadline;
    this.#timer = setTimeout(() => this.expire(), DELIVERY_TIMEOUT_MS);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  expire(): void {
    this.#controller.abort(new Error(`no response within ${DELIVERY_TIMEOUT_MS} ms`));
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  check(now: number): void {
    if (this.#inGrace || now < this.#deadline) return;
    this.#inGrace = true;
    let turns = GRACE_TURNS;
    const turn = () => {
      if (this.#ended) return;
      turns -= 1;
      if (turns === 0) this.expire();
      else setTimeout(turn, TURN_MS);
    };
    setTimeout(turn, TURN_MS);
  }
}

/** The attempts in flight. */
export class InFlightAttempts {
  readonly #deadlines = new Set<AttemptDeadline>();
  readonly #now: Now;

  constructor(now: Now) {
    this.#now = now;
  }

  /** Runs an attempt with a signal that aborts at the deadline, which is counted from `at`. */
  async run<T>(at: number, attempt: (signal: AbortSignal) => Promise<T>): Promise<{ result: T; expired: boolean }> {
    const deadline = new AttemptDeadline(at + DELIVERY_TIMEOUT_MS);
    this.#deadlines.add(deadline);
    deadline.check(this.#now());
    try {
      const result = await attempt(deadline.signal);
      return { result, expired: deadline.signal.aborted };
    } finally {
      deadline.end();
      this.#deadlines.delete(deadline);
    }
  }

  /** Checks the deadlines. Must be called after the clock was advanced. */
  check(): void {
    const now = this.#now();
    for (const deadline of this.#deadlines) deadline.check(now);
  }

  expireAll(): void {
    for (const deadline of this.#deadlines) deadline.expire();
  }
}
