/**
 * `npm run bench -- --check`: compares what was measured with the tables of docs/performance.md. Other machines have other
 * times, and each round differs, so only ratios of this package are compared. A ratio has drifted if it is outside of
 * the documented range, and more than 30 % away from the documented median.
 */
const TOLERANCE = 1.3;

const rowsOf = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| notetaker-sdk"))
    .map((line) => line.split("|").map((cell) => cell.trim()));

const ratioOf = (cell) => /^([\d.]+) \(([\d.]+)–([\d.]+)\)$/.exec(cell.replaceAll(",", ""))?.slice(1).map(Number);

/** Returns the ratios that have drifted, one line each. */
export function driftOf(documented, measured) {
  const before = new Map(rowsOf(documented).map((cells) => [cells[1], cells]));
  return rowsOf(measured).flatMap((cells) =>
    cells.flatMap((cell, column) => {
      const old = before.get(cells[1])?.[column];
      if (old === undefined) return [`${cells[1]}: is not in the table`];
      const [now, then] = [ratioOf(cell), ratioOf(old)];
      if (now === undefined || then === undefined) return [];
      const [median, low, high] = then;
      const isInRange = now[0] >= low && now[0] <= high;
      const isNear = Math.max(now[0] / median, median / now[0]) <= TOLERANCE;
      return isInRange || isNear ? [] : [`${cells[1]}: ${old}, measured ${cell}`];
    }),
  );
}
