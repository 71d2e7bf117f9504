/**
 * Prints the ten unit test files that took longest in the last run with `CI=true`, and runs those above three seconds
 * again, each alone, so that a busy machine is no failure. If one is as slow alone, the exit code is 1: its name needs
 * `.slow`, or it tests too much.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const MAX_MS = 3_000;
const TRIES = 3;

interface Report {
  testResults: { name: string; startTime: number; endTime: number }[];
}

function filesOf(report: string): { name: string; ms: number }[] {
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  return testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(".", name), ms: Math.round(endTime - startTime) }))
    .filter(({ name }) => !/\.slow\.|^test\/package\//.test(name))
    .sort((a, b) => b.ms - a.ms);
}

function msAlone(name: string): number {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-slowest-"));
  const report = join(folder, "report.json");
  // With CI, the configuration names another report.
  const { CI: _, ...env } = process.env;
  const run = () => {
    const args = ["vitest", "run", "--project", "unit", "--reporter=json", `--outputFile=${report}`, name];
    execFileSync("npx", args, { env });
    return filesOf(report)[0]?.ms ?? 0;
  };
  const shortest = Math.min(...Array.from({ length: TRIES }, run));
  rmSync(folder, { recursive: true });
  return shortest;
}

const files = filesOf("reports/unit.json");
for (const { name, ms } of files.slice(0, 10)) console.log(`${String(ms).padStart(6)} ms  ${name}`);
for (const { name } of files.filter(({ ms }) => ms > MAX_MS)) {
  const ms = msAlone(name);
  console.log(`${String(ms).padStart(6)} ms  ${name}, alone`);
  if (ms > MAX_MS) process.exitCode = 1;
}
