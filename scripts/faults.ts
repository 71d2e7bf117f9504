/**
 * `npm run faults`, the fault matrix: runs each operation with each fault at each attempt, over real sockets. Prints
 * the cells that differ from the table of faults, and fails if there are any. `npm run faults -- rooms.list` runs one
 * operation, and `npm run faults -- --docs` writes the table into docs/errors.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ATTEMPTS, type Cell, runCell } from "../test/faults/cell.js";
import { FAULTS } from "../test/faults/faults.js";
import { type JourneyCell, runJourney } from "../test/faults/journey-cell.js";
import { JOURNEYS } from "../test/faults/journeys.js";
import { SCENARIOS } from "../test/faults/scenarios.js";
import { faultTable } from "../test/faults/table.js";

const CONCURRENCY = 40;
const argument = process.argv[2] ?? "";
if (argument === "--docs") {
  writeTable();
  process.exit();
}
const only = argument;
const wanted = <T extends { name: string }>(all: readonly T[]) => all.filter(({ name }) => name.includes(only));

/** Writes the table of faults into the guide. */
function writeTable(): void {
  const guide = fileURLToPath(new URL("../docs/errors.md", import.meta.url));
  const [before, after] = readFileSync(guide, "utf8").split(/(?<=<!-- faults -->\n)[\s\S]*(?=<!-- end -->)/);
  if (before === undefined || after === undefined) throw new Error("docs/errors.md lost its markers");
  writeFileSync(guide, `${before}${faultTable()}\n${after}`);
}

const jobs = FAULTS.flatMap((fault) =>
  ATTEMPTS.flatMap((attempt) => [
    ...wanted(SCENARIOS).map((scenario) => () => runCell(scenario, fault, attempt)),
    ...wanted(JOURNEYS).map((journey) => () => runJourney(journey, fault, attempt)),
  ]),
);

const cells: (Cell | JourneyCell)[] = [];
/**
 * The cells that differ. They run once more, one after the other, because on a busy machine a response may come too
 * late.
 */
const differing: (() => Promise<Cell | JourneyCell>)[] = [];
const work = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const cell = await job();
    if (cell.passed) cells.push(cell);
    else differing.push(job);
  }
};
await Promise.all(Array.from({ length: CONCURRENCY }, work));
for (const job of differing) cells.push(await job());

/** The output has a line for each operation, with a letter for each fault: the result for all its attempts. */
const letter = (of: readonly (Cell | JourneyCell)[]) => {
  if (of.some(({ passed }) => !passed)) return "X";
  const first = of.find(({ attempt }) => attempt === 1);
  if (first?.result.ends !== "succeeds") return "e";
  const requests = "requests" in first.result ? first.result.requests : (first as Cell).attempts;
  return requests > 1 ? "r" : ".";
};
const names = [...new Set(cells.map(({ scenario }) => scenario))].sort();
console.log("r: sent again, and succeeds   e: the error of the table   .: succeeds at once   X: differs\n");
for (const [index, { name }] of FAULTS.entries()) console.log(`${String(index + 1).padStart(3)} ${name}`);
console.log("");
for (const name of names) {
  const line = FAULTS.map((fault) =>
    letter(cells.filter((cell) => cell.scenario === name && cell.fault === fault.name)),
  );
  console.log(`${name.padEnd(36)} ${line.join("")}`);
}
const failed = cells.filter(({ passed }) => !passed);
for (const { scenario, fault, attempt, expected, result } of failed) {
  console.log(`\n${scenario} × ${fault} × attempt ${attempt}`);
  console.log(`  expected ${JSON.stringify(expected)}\n  received ${JSON.stringify(result)}`);
}
const repeated = differing.length === 0 ? "" : `; ${differing.length} were run again, alone`;
console.log(`\n${cells.length} cells, ${failed.length} differ${repeated}`);
process.exitCode = failed.length === 0 ? 0 : 1;
