/**
 * Compares a table of a guide with what was measured today. A column of figures has a tolerance: the part by which a
 * figure may differ before the guide is wrong. A column that others change without us, such as the versions of tools, is
 * not compared. All other cells must be equal.
 */

/** By the name of a column: the tolerance (0.05 is 5 %), or `"any"`. */
export type Tolerances = Readonly<Record<string, number | "any">>;

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

function tableOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return [...lines.slice(0, 1), ...lines.slice(2)].map(cellsOf);
}

/** The first number of a cell: 1215 of "1,215 (1,100)". */
const numberOf = (cell: string) => Number.parseFloat(cell.replaceAll(",", "").match(/-?\d[\d.]*/)?.[0] ?? "");

/** What one unit of the last digit of a cell's number means: 0.1 for "1.5 KB". Rounding alone may change it. */
const lastDigitOf = (cell: string) => 10 ** -(/\d\.(\d+)/.exec(cell)?.[1]?.length ?? 0);

function isWithin(before: string, after: string, tolerance: number | "any" | undefined): boolean {
  if (tolerance === "any" || before === after) return true;
  if (tolerance === undefined) return false;
  const allowed = Math.max(Math.abs(numberOf(before)) * tolerance, lastDigitOf(before));
  return Math.abs(numberOf(after) - numberOf(before)) < allowed + 1e-9;
}

/** Returns the cells that have drifted, one line each. */
export function driftOf(documented: string, measured: string, tolerances: Tolerances): string[] {
  const [head = [], ...before] = tableOf(documented);
  const [newHead = [], ...after] = tableOf(measured);
  if (head.join() !== newHead.join() || before.length !== after.length) return ["the table has other rows or columns"];
  return after.flatMap((row, index) =>
    row.flatMap((cell, column) => {
      // A tool that this machine does not have: its line of the log says so.
      if (row.some((text) => text.startsWith("not run: "))) return [];
      const name = head[column] ?? "";
      const old = before[index]?.[column] ?? "";
      return isWithin(old, cell, tolerances[name]) ? [] : [`${row[0]}: ${name}: ${old}, measured ${cell}`];
    }),
  );
}

/** A ratio of `npm run bench` has drifted if it is outside of the documented range, and farther than this from the median. */
const RATIO_TOLERANCE = 1.3;

const ratioIn = (cell = "") => /^([\d.]+) \(([\d.]+)–([\d.]+)\)$/.exec(cell.replaceAll(",", ""))?.slice(1).map(Number);

/** Other machines have other times, and each round differs, so only the ratios of this package are compared. */
export function ratioDrift(documented: string, measured: string): string[] {
  const rowsOf = (text: string) => tableOf(text).filter(([name]) => name?.startsWith("notetaker-sdk"));
  return rowsOf(measured).flatMap((row) => {
    const before = rowsOf(documented).find(([name]) => name === row[0]);
    if (before === undefined) return [`${row[0]}: is not in the table`];
    return row.flatMap((cell, column) => {
      const [now] = ratioIn(cell) ?? [];
      const [median, low, high] = ratioIn(before[column]) ?? [];
      if (now === undefined || median === undefined || low === undefined || high === undefined) return [];
      const isNear = Math.max(now / median, median / now) <= RATIO_TOLERANCE;
      return isNear || (now >= low && now <= high) ? [] : [`${row[0]}: ${before[column]}, measured ${cell}`];
    });
  });
}
