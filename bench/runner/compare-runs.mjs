/** Compares a run with the previous run on this machine. */
import { formatSpread } from "../report/numbers.mjs";
import { readResults, writeResults } from "./results.mjs";
import { ratiosOf, summarize, valuesOf } from "./statistics.mjs";

const LAST = new URL("../.last-run.json", import.meta.url);

/** This share of the median is added to a spread on both sides, because a few rounds do not show all of the noise. */
const TOLERANCE = 0.03;

const widened = ({ median, low, high }) => ({ low: low - TOLERANCE * median, high: high + TOLERANCE * median });

/** Two runs agree on a ratio if their spreads meet. */
function meet(one, other) {
  const [a, b] = [widened(one), widened(other)];
  return a.low <= b.high && b.low <= a.high;
}

/** Every ratio of a case: those of its table and its figures. */
function summariesOf({ metrics, baseline, figures = [] }, rounds) {
  const rows = [...new Set(rounds.flatMap(Object.keys))];
  const ofTable = Object.entries(metrics).flatMap(([metric, { title, ratio = baseline !== undefined, unitless }]) =>
    rows
      .filter((row) => unitless || (ratio && row !== baseline))
      .map((row) => {
        if (unitless) return [`${row}: ${title}`, summarize(valuesOf(rounds, row, metric))];
        return [`${row}: ${title} beside ${baseline}`, summarize(ratiosOf(rounds, row, baseline, metric))];
      }),
  );
  const ofFigures = figures
    .filter(({ base }) => base !== undefined)
    .map(({ title, row, base, metric, baseMetric }) => [
      title,
      summarize(ratiosOf(rounds, row, base, metric, baseMetric)),
    ]);
  return new Map([...ofTable, ...ofFigures].filter(([, summary]) => summary !== undefined));
}

/** Compares the ratios of two runs. Returns how many were compared, and one line for each disagreement. */
export function findDisagreements(descriptions, measured, last) {
  const lines = [];
  let compared = 0;
  for (const [major, cases] of Object.entries(measured)) {
    for (const description of descriptions) {
      const [now, before] = [cases[description.name], last[major]?.[description.name]];
      if (now === undefined || before === undefined) continue;
      const earlier = summariesOf(description, before.rounds);
      for (const [title, summary] of summariesOf(description, now.rounds)) {
        const other = earlier.get(title);
        if (other === undefined) continue;
        compared += 1;
        if (meet(summary, other)) continue;
        lines.push(`  ${description.name}, ${title}: ${formatSpread(other)}, now ${formatSpread(summary)}`);
      }
    }
  }
  return { compared, lines };
}

/** The report of the comparison with the last run. Stores this run for the next comparison. */
export function compareRuns(descriptions, measured) {
  const last = readResults(LAST);
  const { compared, lines } = findDisagreements(descriptions, measured, last);
  for (const [major, cases] of Object.entries(measured)) last[major] = { ...last[major], ...cases };
  writeResults(last, LAST);
  if (compared === 0) return "nothing to compare with: the next run is compared with this one";
  const agreeing = compared - lines.length;
  return [`${agreeing} of ${compared} ratios agree with the run before within the spread`, ...lines].join("\n");
}
