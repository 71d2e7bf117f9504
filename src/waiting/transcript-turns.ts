/**
 * Decides which wait requests its transcript after a request of the list: one at most, so that a poll is two requests.
 */

/** A wait that may request its transcript. */
export interface TurnCandidate {
  /** Whether an event has announced something about its meeting. */
  isWoken(): boolean;
  /** The number of its last turn before its time, and of its last other turn. */
  lastUrgentTurn: number;
  lastTurn: number;
}

export const NO_TURN_YET = { lastUrgentTurn: 0, lastTurn: 0 };

/**
 * Waits with an event go first, then those whose meeting is listed as completed, then those whose meeting has failed.
 */
const URGENCY: Readonly<Record<string, number>> = { completed: 2, failed: 1 };
const WOKEN_URGENCY = 3;

/**
 * Chooses one of the waits that share a poll. The urgent ones go first, but not again before another wait had its turn
 * in order: a transcript that stays away, or a flood of events, must not keep the others waiting.
 */
export function giveTurn<Wait extends TurnCandidate>(
  waits: readonly Wait[],
  statusOf: (wait: Wait) => unknown,
): Wait | undefined {
  const latestTurn = Math.max(...waits.map((wait) => wait.lastTurn));
  const urgencyOf = (wait: Wait): number => {
    if (wait.lastUrgentTurn > latestTurn) return 0;
    return wait.isWoken() ? WOKEN_URGENCY : (URGENCY[String(statusOf(wait))] ?? 0);
  };
  const latestOf = (wait: Wait) => Math.max(wait.lastTurn, wait.lastUrgentTurn);
  const [chosen] = [...waits].sort(
    (one, other) => urgencyOf(other) - urgencyOf(one) || latestOf(one) - latestOf(other),
  );
  if (chosen === undefined) return undefined;
  const turn = 1 + Math.max(...waits.map(latestOf));
  if (urgencyOf(chosen) > 0) chosen.lastUrgentTurn = turn;
  else chosen.lastTurn = turn;
  return chosen;
}
