/**
 * `npm run measure [folder]`: measures the code of `src`. Prints the longest and the most complex functions (as the
 * linter counts them), import cycles, the longest files, and the number of files in each folder.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const bin = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

interface Diagnostic {
  category?: string;
  message: string;
  advices?: unknown;
  location: { path: string; start: { line: number } };
}

/** The counts of the linter: with very low limits, it reports almost every function. */
function lintCounts(): Diagnostic[] {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-measure-"));
  const complexity = {
    noExcessiveLinesPerFunction: { level: "error", options: { maxLines: 25 } },
    noExcessiveCognitiveComplexity: { level: "error", options: { maxAllowedComplexity: 5 } },
  };
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ linter: { rules: { preset: "none", complexity } } }));
  const { stdout } = spawnSync(
    bin("biome"),
    ["lint", `--config-path=${folder}`, "--max-diagnostics=2000", "--reporter=json", "src"],
    { cwd: root, encoding: "utf8", maxBuffer: 1e9 },
  );
  rmSync(folder, { recursive: true });
  return (JSON.parse(stdout.slice(stdout.indexOf("{"))) as { diagnostics: Diagnostic[] }).diagnostics;
}

function printLargest(title: string, diagnostics: readonly Diagnostic[], rule: string): void {
  const rows = diagnostics
    .filter(({ category }) => category?.endsWith(rule))
    .map(({ message, location }) => ({
      count: Number(/\d+/.exec(message)?.[0]),
      place: `${location.path}:${location.start.line}`,
    }))
    .sort((a, b) => b.count - a.count);
  console.log(`\n${title}`);
  for (const { count, place } of rows.slice(0, 5)) console.log(`  ${String(count).padStart(4)}  ${place}`);
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

const diagnostics = lintCounts();
printLargest("Longest functions (lines)", diagnostics, "noExcessiveLinesPerFunction");
printLargest("Most complex functions (cognitive complexity)", diagnostics, "noExcessiveCognitiveComplexity");

const sources = files(join(root, "src"));
const lines = sources.map((path) => ({ path, count: readFileSync(path, "utf8").split("\n").length - 1 }));
console.log(`\nFiles: ${sources.length}, lines: ${lines.reduce((sum, { count }) => sum + count, 0)}; the longest`);
for (const { path, count } of lines.sort((a, b) => b.count - a.count).slice(0, 5)) {
  console.log(`  ${String(count).padStart(4)}  ${relative(root, path)}`);
}

const perFolder = new Map<string, number>();
for (const path of sources) {
  const folder = relative(root, join(path, ".."));
  perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
}
console.log("\nFiles per folder, the fullest");
for (const [folder, count] of [...perFolder].sort((a, b) => b[1] - a[1]).slice(0, 8)) {
  console.log(`  ${String(count).padStart(4)}  ${folder}`);
}

const cruised = execFileSync(
  bin("depcruise"),
  ["src", "--no-config", "--ts-pre-compilation-deps", "--output-type", "json", "--do-not-follow", "node_modules"],
  { cwd: root, encoding: "utf8", maxBuffer: 1e9 },
);
interface Cruised {
  modules: { source: string; dependencies: { circular: boolean; resolved: string }[] }[];
}
const circular = (JSON.parse(cruised) as Cruised).modules.flatMap(({ source, dependencies }) =>
  dependencies.filter((dependency) => dependency.circular).map(({ resolved }) => `${source} → ${resolved}`),
);
console.log(`\nImports in a cycle, imports of types included: ${circular.length}`);
for (const row of circular.slice(0, 8)) console.log(`  ${row}`);
