/**
 * Reads and writes the results file: by major version of Node, then by case. The file contains every measured round.
 * Medians, ratios and spreads are computed from it when they are shown.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

export const RESULTS = new URL("../results.json", import.meta.url);
const PINNED = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).dependencies;

export function readResults(file = RESULTS) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** The versions of those rows that are packages of bench. */
function versionsOf(rounds) {
  const rows = Object.keys(rounds[0] ?? {});
  const packages = rows.map((row) => row.split(",", 1)[0].toLowerCase()).filter((name) => name in PINNED);
  return Object.fromEntries(packages.map((name) => [name, PINNED[name]]));
}

/** The entry of one case in the file: its rounds, and where and when they were measured. */
export function entryOf(rounds, { node, mode }) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return { measuredAt: new Date().toISOString(), node, machine, mode, versions: versionsOf(rounds), rounds };
}

/** Writes one line for each round, so that a diff is readable. */
export function writeResults(results, file = RESULTS) {
  const text = JSON.stringify(
    results,
    (_, value) => (Array.isArray(value) ? value.map((round) => JSON.stringify(round)) : value),
    1,
  );
  writeFileSync(file, `${text.replace(/"(\{.*\})"/g, (_, round) => JSON.parse(`"${round}"`))}\n`);
}
