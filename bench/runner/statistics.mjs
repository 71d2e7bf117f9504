/** Summarizes the rounds of a case. Each round is `{ row: { metric: number } }`. */

/** The median. For an even number of values, the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median with its spread, the lowest and the highest value. `undefined` without values. */
export function summarize(values) {
  if (values.length === 0) return undefined;
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** The values of one row in all rounds. Rounds without the row are left out. */
export function valuesOf(rounds, row, metric) {
  return rounds.map((round) => round[row]?.[metric]).filter(Number.isFinite);
}

/**
 * The ratio of a row to `base` within each round. If the machine is slow for a while, both values of the round are
 * affected.
 */
export function ratiosOf(rounds, row, base, metric, baseMetric = metric) {
  return rounds.map((round) => round[row]?.[metric] / round[base]?.[baseMetric]).filter(Number.isFinite);
}
