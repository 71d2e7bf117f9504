/** Decides which wait requests its transcript after a request of the list: one at most, so that a poll is two requests. */

/** A wait that may request its transcript. */
export interface TurnCandidate {
  /** Whether an event has announced something about its meeting. */
  isWoken(): boolean;
  /** The number of its last turn. */
  lastTurn: number;
  /** The round in which it last went before others. */
  lastUrgentRound: number;
}

export const NO_TURN_YET = { lastTurn: 0, lastUrgentRound: -1 };

/** Waits with an event go first, then those whose meeting is listed as completed, then those whose meeting has failed. */
const URGENCY: Readonly<Record<string, number>> = { completed: 2, failed: 1 };
const WOKEN_URGENCY = 3;

/** The turns of the waits that share their polls. */
export class TranscriptTurns {
  #turn = 0;
  #round = 0;

  /**
   * Chooses one of the waits. The urgent ones go first, but each only once in a round: a transcript that stays away, or
   * a flood of events, must not keep the others waiting. A round ends with the wait that has waited longest.
   */
  next<Wait extends TurnCandidate>(waits: readonly Wait[], statusOf: (wait: Wait) => unknown): Wait | undefined {
    const urgency = (wait: Wait) => {
      if (wait.lastUrgentRound === this.#round) return 0;
      return wait.isWoken() ? WOKEN_URGENCY : (URGENCY[String(statusOf(wait))] ?? 0);
    };
    const [chosen] = [...waits].sort((left, right) => urgency(right) - urgency(left) || left.lastTurn - right.lastTurn);
    if (chosen === undefined) return undefined;
    if (urgency(chosen) > 0) chosen.lastUrgentRound = this.#round;
    else this.#round += 1;
    this.#turn += 1;
    chosen.lastTurn = this.#turn;
    return chosen;
  }
}
