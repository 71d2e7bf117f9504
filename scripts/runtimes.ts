/**
 * `npm run runtimes [-- NAME]`: runs one program with the packed package in each runtime. Without a name, it runs all
 * of them and writes the table in docs/runtimes.md; with `--check`, it fails instead if a runtime can do more or less than
 * the table says. The first run installs the runtimes from package registries, about
 * 2 GB below the temporary folder. `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { measureInto } from "./measure-into.js";
import { browsers } from "./runtimes/browsers.js";
import { pageEnvironments } from "./runtimes/page-environments.js";
import type { Project } from "./runtimes/project.js";
import { reactNative } from "./runtimes/react-native/react-native.js";
import { NotHere, type Outcome, type Runtime, STEPS, type Step } from "./runtimes/runtime.js";
import { servers } from "./runtimes/servers.js";
import { startService } from "./runtimes/service.js";
import { workers } from "./runtimes/workers.js";

const RUNTIMES: readonly Runtime[] = [...servers, ...workers, ...browsers, ...pageEnvironments, reactNative];
const steps = Object.keys(STEPS) as Step[];

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

/** The row of a runtime: its version, what works, and how the program is run. */
async function measure(runtime: Runtime, project: Project): Promise<string[]> {
  const { name, cannot = {}, note = "" } = runtime;
  const service = await startService();
  const { baseUrl, token, redirectingUrl, meetingId } = service;
  try {
    const outcome = await runtime.run(project, { baseUrl, token, redirectingUrl, meetingId });
    const problems = problemsOf(runtime, outcome, service.astray());
    if (problems.length > 0) throw new Error(problems.join("\n  "));
    for (const step of Object.keys(cannot)) console.log(`${name}: ${step}: ${outcome.results[step]}`);
    const why = Object.entries(cannot).map(([step, reason]) => `${STEPS[step as Step]}: ${reason}`);
    return [name, outcome.version, why.length === 0 ? "everything" : `all but ${why.join("; ")}`, note];
  } catch (error) {
    if (error instanceof NotHere) return [name, "", "", `not run: ${error.message}`];
    throw error;
  } finally {
    await service.close();
  }
}

await measureInto({
  part: "runtimes",
  head: ["runtime", "version", "what works", "note"],
  tolerances: { version: "any" },
  items: RUNTIMES,
  measure,
});
