/** Measures each of some tools with the packed package, and writes a table of docs/runtimes.md, or checks it. */
import { driftOf, type Tolerances } from "./drift.js";
import { createProject, type Project } from "./runtimes/project.js";
import { putPart, table } from "./write-table.js";

interface Measurement<T extends { readonly name: string }> {
  part: string;
  head: readonly string[];
  tolerances: Tolerances;
  items: readonly T[];
  /** Resolves to the cells of the item's row. An error is printed, and makes the whole program fail. */
  measure(item: T, project: Project): Promise<readonly string[]>;
}

/**
 * The arguments of the process name the items; without a name, it measures all, and writes the table, or with `--check`
 * compares it. The exit code is 1 if a measurement fails, or the table is no longer true.
 */
export async function measureInto<T extends { readonly name: string }>(options: Measurement<T>): Promise<void> {
  const isCheck = process.argv.includes("--check");
  const names = process.argv.slice(2).flatMap((name) => (name === "--check" ? [] : name.toLowerCase()));
  const isChosen = ({ name }: T) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part));
  const project = await createProject();
  const rows: (readonly string[])[] = [];
  const problems: string[] = [];
  try {
    for (const item of options.items.filter(isChosen)) {
      try {
        const row = await options.measure(item, project);
        rows.push(row);
        console.log(row.join(" | "));
      } catch (error) {
        problems.push(`${item.name}: ${error instanceof Error ? error.message.slice(0, 4_000) : error}`);
        console.error(problems.at(-1));
      }
    }
  } finally {
    project.remove();
  }
  if (names.length === 0 && problems.length === 0) {
    const compare = (before: string, after: string) => driftOf(before, after, options.tolerances);
    const drift = putPart("docs/runtimes.md", options.part, table(options.head, rows), isCheck ? compare : undefined);
    for (const line of drift) console.error(line);
    problems.push(...drift);
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
}
