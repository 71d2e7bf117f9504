/**
 * `npm run mutation`: changes the sources in thousands of ways, one at a time, and counts how many of these mutants a
 * test finds. README.md explains how it works.
 *
 *   npm run mutation                    every area, two at a time
 *   npm run mutation -- errors waiting  only these areas
 *   npm run mutation -- --fresh errors  all mutants, including those that an earlier run has found
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AREAS, type Area } from "./areas.js";
import { judge, type Verdict } from "./judge.js";
import { installDependencies, type Mutant, mutate } from "./mutants.js";
import { printScores, writeReport } from "./report.js";
import { readRecord, runTests } from "./run-tests.js";
import { copyRepository, filesOf } from "./sandbox.js";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const output = `${root}/reports/mutation`;
const { values, positionals } = parseArgs({
  options: { fresh: { type: "boolean", default: false }, jobs: { type: "string", default: "2" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(AREAS, name));
if (unknown.length > 0) {
  throw new Error(`unknown area ${unknown.join(", ")}; expected ${Object.keys(AREAS).join(", ")}`);
}

const isOf = ({ sources }: Area, path: string) =>
  sources.some((source) => path === `src/${source}` || path.startsWith(`src/${source}/`));

/** The mutants that an earlier run found, which are not tried again if their source is the same. */
interface Earlier {
  sources: Record<string, string>;
  found: [key: string, test: string, message: string][];
}

function carryOver(name: string, sources: Map<string, string>, mutants: Mutant[], record: string): void {
  const path = `${output}/${name}.found.json`;
  if (values.fresh || !existsSync(path)) return;
  const earlier = JSON.parse(readFileSync(path, "utf8")) as Earlier;
  const byKey = new Map(mutants.map((mutant) => [mutant.key, mutant]));
  const lines: string[] = [];
  for (const [key, test, message] of earlier.found) {
    const mutant = byKey.get(key);
    if (mutant === undefined || earlier.sources[mutant.file] !== sources.get(mutant.file)) continue;
    lines.push(`${JSON.stringify({ what: "found", test, mutant: mutant.id, message })}\n`);
  }
  writeFileSync(record, lines.join(""));
}

/** Whether an interrupted run can resume from its record, because the sources are the same. */
function continuesRecord(record: string, written: { content: string }[]): boolean {
  const hash = createHash("sha256");
  for (const { content } of written) hash.update(content);
  const now = hash.digest("hex");
  const path = `${record}.of`;
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeFileSync(path, now);
  return !values.fresh && before === now && existsSync(record);
}

function keep(name: string, sources: Map<string, string>, verdicts: Verdict[]): void {
  const found = verdicts.filter(({ status }) => status === "Killed");
  const earlier: Earlier = {
    sources: Object.fromEntries(sources),
    found: found.map(({ mutant, test, message }) => [mutant.key, test ?? "", message ?? ""]),
  };
  writeFileSync(`${output}/${name}.found.json`, JSON.stringify(earlier));
}

async function runArea(name: string, area: Area): Promise<Verdict[]> {
  const files = filesOf(root).filter((path) => path.endsWith(".ts") && isOf(area, path));
  const { written, mutants, sources } = await mutate(root, files);
  const copy = copyRepository(root, name, written);
  const record = `${copy}.record`;
  if (!continuesRecord(record, written)) {
    rmSync(record, { force: true });
    carryOver(name, sources, mutants, record);
  }
  writeFileSync(`${record}.sources`, JSON.stringify(Object.fromEntries(mutants.map(({ id, file }) => [id, file]))));
  console.log(`${name}: ${mutants.length} mutants in ${files.length} files`);
  await runTests(copy, record, area.tests);
  const verdicts = judge(mutants, readRecord(record));
  keep(name, sources, verdicts);
  writeReport(output, name, sources, verdicts);
  for (const path of [copy, record, `${record}.of`, `${record}.sources`])
    rmSync(path, { recursive: true, force: true });
  return verdicts;
}

installDependencies();
mkdirSync(output, { recursive: true });
const wanted = Object.entries(AREAS).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const queue = [...wanted];
const done: [string, Area, Verdict[]][] = [];
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, area] = next;
    done.push([name, area, await runArea(name, area)]);
    printScores([done.at(-1) as [string, Area, Verdict[]]]);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log("");
process.exitCode = printScores(done) ? 0 : 1;
