/** Makes the mutants of sources: Stryker's instrumenter writes all mutants of a file into the file, switched off. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const fromHere = createRequire(`${folder}package.json`);

export interface Position {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

export interface Mutant {
  id: string;
  /** The path from the root of the repository. */
  file: string;
  /** The kind of change: `ConditionalExpression`, `StringLiteral` … */
  mutator: string;
  location: { start: Position; end: Position };
  original: string;
  replacement: string;
  /** Identifies the mutant in later runs: file, mutator, both texts, and its number among equal mutants. */
  key: string;
}

interface InstrumenterMutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  /** Lines from 0. */
  location: { start: { line: number; column: number }; end: { line: number; column: number } };
}

interface Instrumenter {
  instrument(
    files: { name: string; content: string; mutate: boolean }[],
    options: object,
  ): Promise<{ files: { name: string; content: string }[]; mutants: InstrumenterMutant[] }>;
}

/** Installs the dependencies in this folder's package.json, if they are missing. */
export function installDependencies(): void {
  if (existsSync(`${folder}node_modules/@stryker-mutator/instrumenter`)) return;
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}`);
}

/** The script of the HTML report. */
export const reportScript = () =>
  readFileSync(fromHere.resolve("mutation-testing-elements/mutation-test-elements.js"), "utf8");

async function instrumenter(): Promise<Instrumenter> {
  const url = pathToFileURL(fromHere.resolve("@stryker-mutator/instrumenter")).href;
  const { Instrumenter } = (await import(url)) as { Instrumenter: new (logger: object) => Instrumenter };
  return new Instrumenter({ debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false });
}

function textBetween(lines: string[], { start, end }: InstrumenterMutant["location"]): string {
  const taken = lines.slice(start.line, end.line + 1);
  if (taken.length === 1) return taken[0]?.slice(start.column, end.column) ?? "";
  taken[0] = taken[0]?.slice(start.column) ?? "";
  taken.push(taken.pop()?.slice(0, end.column) ?? "");
  return taken.join("\n");
}

const fromOne = ({ line, column }: { line: number; column: number }): Position => ({
  line: line + 1,
  column: column + 1,
});

/**
 * Makes the mutants of these files. Returns the files with all mutants in them, the mutants, and the original sources.
 *
 * @param root the copy
 * @param files from the root
 */
export async function mutate(root: string, files: string[]) {
  const sources = new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, "utf8")]));
  const { files: written, mutants } = await (await instrumenter()).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], optionalMutations: [], noHeader: false, ignorers: [] },
  );
  const seen = new Map<string, number>();
  const found = mutants.map(({ id, fileName, mutatorName, location, replacement }): Mutant => {
    const original = textBetween(sources.get(fileName)?.split("\n") ?? [], location);
    const alike = JSON.stringify([fileName, mutatorName, original, replacement]);
    const count = (seen.get(alike) ?? 0) + 1;
    seen.set(alike, count);
    const place = { start: fromOne(location.start), end: fromOne(location.end) };
    return {
      id,
      file: fileName,
      mutator: mutatorName,
      location: place,
      original,
      replacement,
      key: `${alike} ${count}`,
    };
  });
  return { written, mutants: found, sources };
}
