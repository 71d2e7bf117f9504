/** Which wait requests its transcript after a request of the list: one at most, so that a poll is two requests. */
import type { WaitQuestion } from "./wait-question.js";

/** A wait with an event goes first, then one whose meeting is listed as completed, then one whose meeting has failed. */
const URGENCY: Readonly<Record<string, number>> = { completed: 2, failed: 1 };
const WOKEN_URGENCY = 3;

export class TranscriptTurns {
  readonly #turnOf = new WeakMap<WaitQuestion, number>();
  #turn = 0;
  /**
   * The waits that went first since a wait had its turn in order. They go first again only after the next such turn:
   * a transcript that stays away, or a flood of events, must not keep the others waiting.
   */
  #wentFirst = new WeakSet<WaitQuestion>();

  next(waits: readonly WaitQuestion[], statusOf: (wait: WaitQuestion) => unknown): WaitQuestion | undefined {
    const urgencyOf = (wait: WaitQuestion): number => {
      if (this.#wentFirst.has(wait)) return 0;
      return wait.wake?.hasEvent ? WOKEN_URGENCY : (URGENCY[String(statusOf(wait))] ?? 0);
    };
    const turnOf = (wait: WaitQuestion) => this.#turnOf.get(wait) ?? 0;
    const [next] = [...waits].sort((one, other) => urgencyOf(other) - urgencyOf(one) || turnOf(one) - turnOf(other));
    if (next === undefined) return undefined;
    if (urgencyOf(next) > 0) this.#wentFirst.add(next);
    else this.#wentFirst = new WeakSet();
    this.#turn += 1;
    this.#turnOf.set(next, this.#turn);
    return next;
  }
}
