/** What the rounds of a case say. Each round is `{ row: { metric: number } }`. */

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median with its spread: the lowest and the highest of all rounds. `undefined` without any value. */
export function summarize(values) {
  if (values.length === 0) return undefined;
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** Every round's value of one row; rounds that do not have it are left out. */
export function valuesOf(rounds, row, metric) {
  return rounds.map((round) => round[row]?.[metric]).filter(Number.isFinite);
}

/**
 * Each round's value beside the value of `base` in the same round, so that what slows the machine down for a while slows
 * down both.
 */
export function ratiosOf(rounds, row, base, metric, baseMetric = metric) {
  return rounds.map((round) => round[row]?.[metric] / round[base]?.[baseMetric]).filter(Number.isFinite);
}
