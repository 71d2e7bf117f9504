/**
 * `npm run runtimes [-- NAME]`: runs one program with the packed package in each runtime. Without a name, it runs all
 * of them and writes the table in docs/runtimes.md; with `--check`, it fails instead if a runtime can do more or less than
 * the table says. The first run installs the runtimes from package registries, about
 * 2 GB below the temporary folder. `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { browsers } from "./runtimes/browsers.js";
import { pageEnvironments } from "./runtimes/page-environments.js";
import { createProject, type Project } from "./runtimes/project.js";
import { reactNative } from "./runtimes/react-native/react-native.js";
import { NotHere, type Outcome, type Runtime, STEPS, type Step } from "./runtimes/runtime.js";
import { servers } from "./runtimes/servers.js";
import { startService } from "./runtimes/service.js";
import { workers } from "./runtimes/workers.js";
import { putPart, table } from "./write-table.js";

const RUNTIMES: readonly Runtime[] = [...servers, ...workers, ...browsers, ...pageEnvironments, reactNative];
const steps = Object.keys(STEPS) as Step[];

interface Row {
  runtime: Runtime;
  outcome: Outcome | undefined;
  /** The problems, one line each. */
  problems: string[];
  /** Why the runtime cannot run on this machine. That is not a failure. */
  missing?: string;
}

function problemsOf({ cannot = {} }: Runtime, { results }: Outcome, astray: number): string[] {
  const problems = steps.flatMap((step) => {
    const result = results[step] ?? "was not run";
    if (!(step in cannot)) return result === "yes" ? [] : [`${step}: ${result}`];
    if (result === "yes") return [`${step}: works, and is said not to`];
    const saysSo = step === "redirects" || result.startsWith("no: ");
    return saysSo ? [] : [`${step}: ${result}`];
  });
  if (astray > 0 && !("redirects" in cannot)) problems.push(`${astray} requests followed a redirect`);
  return problems;
}

async function runOne(runtime: Runtime, project: Project): Promise<Row> {
  const service = await startService();
  const { baseUrl, token, redirectingUrl, meetingId } = service;
  try {
    const outcome = await runtime.run(project, { baseUrl, token, redirectingUrl, meetingId });
    return { runtime, outcome, problems: problemsOf(runtime, outcome, service.astray()) };
  } catch (error) {
    if (error instanceof NotHere) return { runtime, outcome: undefined, problems: [], missing: error.message };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { runtime, outcome: undefined, problems: [text.slice(0, 4_000)] };
  } finally {
    await service.close();
  }
}

function tableRow({ runtime, outcome, missing }: Row): string[] {
  const { name, cannot = {}, note = "" } = runtime;
  if (outcome === undefined) return [name, "", "", `not run: ${missing ?? "it failed"}`];
  const why = Object.entries(cannot).map(([step, reason]) => `${STEPS[step as Step]}: ${reason}`);
  const works = why.length === 0 ? "everything" : `all but ${why.join("; ")}`;
  return [name, outcome.version, works, note];
}

const isCheck = process.argv.includes("--check");
const names = process.argv.slice(2).flatMap((name) => (name === "--check" ? [] : name.toLowerCase()));
const chosen = RUNTIMES.filter(
  ({ name }) => names.length === 0 || names.some((part) => name.toLowerCase().includes(part)),
);
const project = await createProject();
const rows: Row[] = [];
try {
  for (const runtime of chosen) {
    const row = await runOne(runtime, project);
    rows.push(row);
    const verdict = row.missing ?? (row.problems.length === 0 ? "fine" : row.problems.join("\n  "));
    console.log(`${runtime.name} ${row.outcome?.version ?? ""}: ${verdict}`);
    for (const step of Object.keys(runtime.cannot ?? {})) console.log(`  ${step}: ${row.outcome?.results[step]}`);
  }
} finally {
  project.remove();
}
let failed = rows.some(({ problems }) => problems.length > 0);
if (names.length === 0 && !failed) {
  const head = ["runtime", "version", "what works", "note"];
  const tolerances = { version: "any" } as const;
  const drift = putPart(
    "docs/runtimes.md",
    "runtimes",
    table(head, rows.map(tableRow)),
    isCheck ? tolerances : undefined,
  );
  for (const line of drift) console.error(line);
  failed = drift.length > 0;
}
process.exitCode = failed ? 1 : 0;
