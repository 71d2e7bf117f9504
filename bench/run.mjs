/**
 * `npm run bench`: measures the cases, prints their tables, and writes the results. README.md explains how it works.
 */
import { execFileSync } from "node:child_process";
import { HELP, readOptions } from "./runner/options.mjs";
import { buildPackage, installDependencies, nodeBinary } from "./runner/prepare.mjs";

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(HELP);
  process.exit();
}
installDependencies();
const { caseNames, figuresOnly, loadCase } = await import("./runner/cases.mjs");
if (options.list) {
  console.log(caseNames.join("\n"));
  process.exit();
}
const { measureCase } = await import("./runner/measure-case.mjs");
const { compareRuns } = await import("./runner/compare-runs.mjs");
const results = await import("./runner/results.mjs");
const { caseTable, figuresTable } = await import("./report/tables.mjs");

if (options.build) buildPackage();
const selected = await Promise.all((options.names.length > 0 ? options.names : caseNames).map(loadCase));
const majors = options.nodes.length > 0 ? options.nodes : [process.versions.node.split(".", 1)[0]];
/** The tables show the oldest version of Node. */
const shown = majors.toSorted((a, b) => a - b)[0];
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(0)} s`;

/** Writes all results. Called after each version of Node, so that an interrupted run loses at most one version. */
async function writeAll(measured) {
  const { shownNode, writePages } = await import("./report/page.mjs");
  const { writePlot } = await import("./report/plot.mjs");
  const all = results.readResults();
  for (const [major, cases] of Object.entries(measured)) all[major] = { ...all[major], ...cases };
  results.writeResults(all);
  await writePages(all);
  await writePlot(all[shownNode(all)]);
}

const began = performance.now();
const measured = {};
for (const major of majors) {
  const binary = nodeBinary(major);
  const node = execFileSync(binary, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  measured[major] = {};
  const descriptions = major === shown ? selected : selected.map(figuresOnly).filter((one) => one !== undefined);
  for (const description of descriptions) {
    const missing = description.missing?.();
    if (missing !== undefined) {
      console.log(`\n${description.title}: skipped, ${missing}`);
      continue;
    }
    const since = performance.now();
    const onRound = (round, count) =>
      console.error(`${description.name}: round ${round} of ${count}, ${seconds(since)}`);
    const rounds = await measureCase(description, { node: binary, mode: options.mode, onRound });
    measured[major][description.name] = results.entryOf(rounds, { node, mode: options.mode });
    console.log(`\n## ${description.title}\n\nNode ${node}, ${rounds.length} rounds, ${seconds(since)}\n`);
    console.log(caseTable(description, measured[major][description.name]));
  }
  if (options.write) await writeAll(measured);
}

console.log(`\n## The figures\n\n${figuresTable(selected, measured)}\n`);
console.log(compareRuns(selected, measured));
if (options.write) console.log("written: bench/results.json, docs/performance.{md,svg}, docs/scaling.md");
console.log(`all in ${seconds(began)}`);
