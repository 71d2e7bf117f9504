/**
 * The time that a receiver has to respond. It is real time; but if a test moves the emulator's clock past the deadline,
 * the attempt ends soon after, so that the test need not wait.
 */
import { DELIVERY_TIMEOUT_MS } from "../../unshown.js";

/**
 * After the clock was moved past the deadline, a receiver still has a moment of real time, so that one that responds
 * promptly does not time out. It is counted in turns: a machine that stalls under load uses up only one.
 */
const GRACE_TURNS = 40;
const TURN_MS = 10;

/** Called with the emulator's time. */
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
    this.#controller.abort(new Error(`no answer within ${DELIVERY_TIMEOUT_MS} ms`));
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

  /** Runs an attempt with a signal that aborts after the time that a receiver has, counted from `at`. */
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

  /** Call it after the clock was moved. */
  check(): void {
    const now = this.#now();
    for (const deadline of this.#deadlines) deadline.check(now);
  }

  expireAll(): void {
    for (const deadline of this.#deadlines) deadline.expire();
  }
}
