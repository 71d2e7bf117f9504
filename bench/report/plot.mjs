/**
 * Draws docs/performance.svg with vega-lite: the cost of a call, of an import and of a client in a page, beside other
 * clients.
 */
import { writeFileSync } from "node:fs";
import { caseNames, loadCase } from "../runner/cases.mjs";
import { ratiosOf, summarize, valuesOf } from "../runner/statistics.mjs";

export const PLOT = new URL("../../docs/performance.svg", import.meta.url);

const WIDTH = 460;
const BAR = 18;
const OURS = "#2f81f7";
const PEER = "#8b949e";

/** The colours for light and dark mode. `currentColor` has the colour of text in the reader's mode. */
const STYLE = `<style>
svg { color: #1f2328; background: #ffffff }
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; background: #0d1117 } }
</style>`;

/** The panels. Each shows a metric of a case. With a `base`, the unit is the value of that row in the same round. */
const PANELS = [
  { name: "calls", metric: "cpu", base: "fetch", title: "A call: CPU beside plain fetch", scale: 1 },
  { name: "import", metric: "cpu", title: "Import: CPU, ms", scale: 1 },
  { name: "bundle", metric: "whole", title: "The client in a page: KB, gzipped", scale: 1 / 1_000 },
];

const formatBar = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(2));

function rowsOf({ metric, base, scale }, rounds) {
  const names = [...new Set(rounds.flatMap(Object.keys))];
  return names.map((row) => {
    const values = base === undefined ? valuesOf(rounds, row, metric) : ratiosOf(rounds, row, base, metric);
    const { median, low, high } = summarize(values);
    return { row, median: median * scale, low: low * scale, high: high * scale };
  });
}

/** One panel: for each row a bar for the median, a line from the lowest round to the highest, and the number. */
function panel({ title, ...measured }, validating, rounds) {
  const values = rowsOf(measured, rounds)
    .sort((a, b) => a.median - b.median)
    .map((row) => ({
      ...row,
      label: validating.has(row.row) ? `${row.row} (validates)` : row.row,
      color: row.row.startsWith("notetaker-sdk") ? OURS : PEER,
      text: formatBar(row.median),
    }));
  const y = { field: "label", type: "nominal", sort: null, title: null };
  const max = Math.max(...values.map(({ high }) => high));
  const x = (field) => ({ field, type: "quantitative", title: null, scale: { domain: [0, max * 1.12] } });
  return {
    title: { text: title, anchor: "start" },
    width: WIDTH,
    height: { step: BAR + 6 },
    data: { values },
    layer: [
      { mark: { type: "bar", height: BAR }, encoding: { y, x: x("median"), color: { field: "color", scale: null } } },
      { mark: { type: "rule", color: "currentColor" }, encoding: { y, x: x("low"), x2: { field: "high" } } },
      {
        mark: { type: "text", align: "left", dx: 5, color: "currentColor" },
        encoding: { y, x: x("high"), text: { field: "text" } },
      },
    ],
  };
}

const CONFIG = {
  background: "transparent",
  font: "system-ui, sans-serif",
  axis: { labelColor: "currentColor", titleColor: "currentColor", tickColor: PEER, domainColor: PEER, gridOpacity: 0 },
  axisY: { labelLimit: 0, labelFontSize: 12 },
  title: { color: "currentColor", fontSize: 14 },
  text: { fontSize: 12 },
  view: { stroke: null },
};

/**
 * The numbers that the plot shows, panel by panel.
 * @public
 */
export const plottedNumbers = (cases) =>
  PANELS.filter(({ name }) => cases[name] !== undefined).flatMap((one) =>
    rowsOf(one, cases[one.name].rounds).map(({ median }) => formatBar(median)),
  );

const LABEL =
  "Bars: CPU of a call beside plain fetch, CPU of an import, and gzipped size, of this package and its peers";

/** The plot of one version of Node. */
export async function renderPlot(cases) {
  const { compile } = await import("vega-lite");
  const { parse, View } = await import("vega");
  const descriptions = Object.fromEntries(
    await Promise.all(caseNames.map(async (name) => [name, await loadCase(name)])),
  );
  const vconcat = PANELS.filter(({ name }) => cases[name] !== undefined).map((one) => {
    const does = descriptions[one.name].does ?? descriptions.calls.does;
    const validating = new Set(Object.keys(does).filter((row) => does[row].startsWith("validates")));
    return panel(one, validating, cases[one.name].rounds);
  });
  const { spec } = compile({ vconcat, spacing: 26, padding: 16, config: CONFIG });
  const svg = await new View(parse(spec), { renderer: "none" }).toSVG();
  return svg
    .replace(/ (?:aria-[a-z]+|role)="[^"]*"/g, "")
    .replace(/^<svg([^>]*)>/, `<svg$1 role="img" aria-label="${LABEL}">${STYLE}`);
}

export async function writePlot(cases) {
  writeFileSync(PLOT, `${await renderPlot(cases)}\n`);
}
