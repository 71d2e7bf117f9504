/**
 * The fault matrix, `npm run faults`: each operation × each fault × the attempt that it strikes, over real sockets.
 * Prints the cells that differ from the table of faults, and fails if there are any. `npm run faults -- rooms.list`
 * runs one operation.
 */
import { ATTEMPTS, type Cell, runCell } from "../test/faults/cell.js";
import { FAULTS } from "../test/faults/faults.js";
import { SCENARIOS } from "../test/faults/scenarios.js";

const CONCURRENCY = 24;
const only = process.argv[2];

const jobs = SCENARIOS.filter(({ name }) => only === undefined || name.includes(only)).flatMap((scenario) =>
  FAULTS.flatMap((fault) => ATTEMPTS.map((attempt) => () => runCell(scenario, fault, attempt))),
);
const cells: Cell[] = [];
const work = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) cells.push(await job());
};
await Promise.all(Array.from({ length: CONCURRENCY }, work));
const failed = cells.filter(({ passed }) => !passed);
for (const cell of failed) {
  console.log(`${cell.scenario} × ${cell.fault} × attempt ${cell.attempt}`);
  console.log(`  expected ${JSON.stringify(cell.expected)} after ${cell.expectedAttempts}`);
  console.log(`  received ${JSON.stringify(cell.result)} after ${cell.attempts}`);
}
console.log(`${cells.length} cells, ${failed.length} differ`);
process.exitCode = failed.length === 0 ? 0 : 1;
