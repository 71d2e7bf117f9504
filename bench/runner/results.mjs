/**
 * The results file: by major version of Node, then by case. It holds every round as it was measured; medians, ratios and
 * spreads are computed from it wherever they are shown.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

export const RESULTS = new URL("../results.json", import.meta.url);
const PINNED = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).dependencies;

export function readResults(file = RESULTS) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** The rows that are packages of bench, with their versions. */
function versionsOf(rounds) {
  const rows = Object.keys(rounds[0] ?? {});
  const packages = rows.map((row) => row.split(",", 1)[0].toLowerCase()).filter((name) => name in PINNED);
  return Object.fromEntries(packages.map((name) => [name, PINNED[name]]));
}

/** What is written for one case: the rounds, and where and when they were measured. */
export function entryOf(rounds, { node, mode }) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return { measuredAt: new Date().toISOString(), node, machine, mode, versions: versionsOf(rounds), rounds };
}

/** One line a round, so that a difference can be read. */
export function writeResults(results, file = RESULTS) {
  const text = JSON.stringify(
    results,
    (_, value) => (Array.isArray(value) ? value.map((round) => JSON.stringify(round)) : value),
    1,
  );
  writeFileSync(file, `${text.replace(/"(\{.*\})"/g, (_, round) => JSON.parse(`"${round}"`))}\n`);
}
