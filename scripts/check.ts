/** `npm run check`, the fast check: runs the static checks and the unit tests in parallel, and prints the time. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Each property test runs with fewer examples than in `npm test`. */
const PROPERTY_RUNS = process.env.PROPERTY_RUNS ?? "40";

const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;

/** Runs a command. If it fails, its output is printed. */
async function run(command: string): Promise<boolean> {
  const child = spawn(command, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PROPERTY_RUNS },
    shell: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const [exitCode] = (await once(child, "close")) as [number | null];
  console.log(`${exitCode === 0 ? "passed" : "FAILED"}  ${command}`);
  if (exitCode !== 0) process.stdout.write(Buffer.concat(output));
  return exitCode === 0;
}

const checks = await Promise.all(
  ["npx vitest run --project unit", ...["types", "lint", "directions", "dead"].map((name) => `npm run -s ${name}`)].map(
    run,
  ),
);
const passed = checks.every(Boolean);
console.log(`check ${passed ? "passed" : "FAILED"} in ${seconds()}`);
process.exitCode = passed ? 0 : 1;
