/** Renders the measurements as Markdown tables. */
import { ratiosOf, summarize, valuesOf } from "../runner/statistics.mjs";
import { formatNumber, formatSpread } from "./numbers.mjs";

const table = (head, align, rows) => [head, align, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The name of a row. A package of bench has its version, for example "ky 1.14.3". */
const rowTitle = (row, versions) => {
  const name = row.split(",", 1)[0];
  const version = versions[name.toLowerCase()];
  return version === undefined ? row : row.replace(name, `${name} ${version}`);
};

/**
 * The table of one case on one version of Node. Each row has its medians, and its ratios to the case's baseline. The
 * spread is that of the ratio, from the lowest round to the highest.
 */
export function caseTable(description, { rounds, versions }) {
  const { metrics, baseline, does = {} } = description;
  const rows = [...new Set(rounds.flatMap(Object.keys))];
  const names = Object.keys(metrics).filter((metric) => rows.some((row) => valuesOf(rounds, row, metric).length > 0));
  const hasRemarks = rows.some((row) => does[row]);
  const columns = names.flatMap((metric) => {
    const { title, ratio = true } = metrics[metric];
    return ratio && baseline !== undefined ? [title, `beside ${baseline}`] : [title];
  });
  const cells = (row) =>
    names.flatMap((metric) => {
      const { digits = 0, ratio = true } = metrics[metric];
      const summary = summarize(valuesOf(rounds, row, metric));
      const value = summary === undefined ? "" : formatNumber(summary.median, digits);
      if (!ratio || baseline === undefined) return [formatSpread(summary, digits)];
      return [value, formatSpread(summarize(ratiosOf(rounds, row, baseline, metric)))];
    });
  return table(
    ["", ...columns, ...(hasRemarks ? ["what it does"] : [])],
    ["---", ...columns.map(() => "---:"), ...(hasRemarks ? ["---"] : [])],
    rows.map((row) => [rowTitle(row, versions), ...cells(row), ...(hasRemarks ? [does[row] ?? ""] : [])]),
  );
}

/** One figure of a case: a ratio of two rows if it has a `base`, otherwise the value of a row. */
export function figureSummary({ row, base, metric, baseMetric }, rounds) {
  return summarize(
    base === undefined ? valuesOf(rounds, row, metric) : ratiosOf(rounds, row, base, metric, baseMetric),
  );
}

/** The table of all figures with their targets, for every measured version of Node. */
export function figuresTable(descriptions, results) {
  const nodes = Object.keys(results).sort((a, b) => Number(a) - Number(b));
  const rows = descriptions.flatMap(({ name, figures = [] }) =>
    figures
      .filter(() => nodes.some((node) => results[node][name] !== undefined))
      .map((figure) => {
        const { title, wanted, digits } = figure;
        const cells = nodes.map((node) =>
          formatSpread(figureSummary(figure, results[node][name]?.rounds ?? []), digits),
        );
        return [title, wanted === undefined ? "" : `≤ ${formatNumber(wanted, digits)}`, ...cells];
      }),
  );
  const versions = nodes.map((node) => `Node ${Object.values(results[node])[0].node}`);
  return table(["", "wanted", ...versions], ["---", "---:", ...versions.map(() => "---:")], rows);
}
