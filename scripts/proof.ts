/**
 * `npm run proof`: runs the short form of every proof in docs/reliability.md, one after another, and prints a table
 * with verdicts and times. The output of a failed proof is printed, too. `npm run proof -- model fuzz` runs only these
 * proofs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const vitest = (...files: string[]) =>
  ["npx", "vitest", "--run", "--project", "unit", "--project", "slow", "--typecheck.enabled=false", ...files] as const;

/** The command of each proof. The build comes first, because some proofs run the built package. */
const PROOFS: readonly [name: string, command: readonly string[]][] = [
  ["build", ["npm", "run", "build"]],
  ["faults", ["npm", "run", "faults"]],
  ["model", vitest("test/model")],
  ["redaction", vitest("test/redact", "test/transport/secrets.test.ts")],
  ["properties", ["npm", "run", "properties", "--", "--runs", "200"]],
  ["fuzz", ["npm", "run", "fuzz", "--", "--seconds", "10"]],
  ["soak", ["npm", "run", "soak", "--", "--minutes", "2"]],
  ["kill", ["npm", "run", "kill", "--", "--kills", "10", "--step", "10"]],
  ["mutation", ["npm", "run", "mutation", "--", "--fresh", "tools"]],
  ["supply-chain", vitest("test/repository")],
  ["reproducible", ["npm", "run", "reproducible"]],
];

interface Verdict {
  name: string;
  passed: boolean;
  seconds: number;
  /** The last line that the proof printed. */
  lastLine: string;
}

async function prove(name: string, [program = "", ...args]: readonly string[]): Promise<Verdict> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const [exitCode] = (await once(child, "close")) as [number | null];
  const text = Buffer.concat(output).toString();
  if (exitCode !== 0) console.log(text);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const seconds = (performance.now() - started) / 1000;
  return { name, passed: exitCode === 0, seconds, lastLine: lines.at(-1)?.trim().slice(0, 80) ?? "" };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => PROOFS.every(([known]) => known !== name));
if (unknown.length > 0) {
  throw new Error(`unknown proof ${unknown.join(", ")}; expected ${PROOFS.map(([name]) => name).join(", ")}`);
}

const verdicts: Verdict[] = [];
for (const [name, command] of PROOFS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`${name}: ${command.join(" ")}`);
  verdicts.push(await prove(name, command));
}

console.log("");
for (const { name, passed, seconds, lastLine } of verdicts) {
  console.log(`${passed ? "passed" : "FAILED"}  ${name.padEnd(13)} ${seconds.toFixed(0).padStart(4)} s  ${lastLine}`);
}
const failed = verdicts.filter(({ passed }) => !passed).length;
const total = verdicts.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(`proof ${failed === 0 ? "passed" : "FAILED"} in ${(total / 60).toFixed(1)} minutes`);
process.exitCode = failed === 0 ? 0 : 1;
