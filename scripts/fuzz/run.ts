/**
 * `npm run fuzz [-- target …] [--seconds 60] [--seed 1] [--keep]`: runs each parser of untrusted bytes with mutated
 * inputs. Inputs that reach new code are mutated further. A target fails if it throws an error that does not belong to
 * the library, hangs, needs more than linear time, or exceeds the limits of memory (`memory.ts`). `--keep` writes the
 * found inputs into the corpus; `--input <file>` runs one input.
 */
import { fork } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MAX_ALLOCATED, MAX_HELD } from "./memory.js";
import { TARGETS } from "./targets.js";

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
    keep: { type: "boolean", default: false },
    input: { type: "string" },
  },
  allowPositionals: true,
});

/** A process that reports nothing for this long hangs. No batch of inputs takes so long, even on a busy machine. */
const SILENCE_MS = 300_000;
const program = fileURLToPath(new URL("fuzz-target.ts", import.meta.url));
const crashes = fileURLToPath(new URL("../../node_modules/.cache/fuzz/", import.meta.url));

interface Result {
  inputs: number;
  corpus: number;
  blocks: number;
  exponent?: number;
  allocated: number;
  held: number;
  isLinear: boolean;
  isBounded: boolean;
  worstInput: string;
}

interface Ended {
  result: Result | undefined;
  hung: boolean;
  stderr: string;
}

function runTarget(name: string, currentFile: string): Promise<Ended> {
  const args = [name, values.seconds, values.seed, currentFile, values.keep ? "keep" : ""];
  // The young generation must hold all allocations of one read, because they are measured.
  const execArgv = [...process.execArgv, "--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"];
  const child = fork(program, args, { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv });
  const ended: Ended = { result: undefined, hung: false, stderr: "" };
  const hang = () => {
    ended.hung = true;
    child.kill("SIGKILL");
  };
  let watch = setTimeout(hang, SILENCE_MS);
  child.stderr?.on("data", (chunk) => {
    ended.stderr += String(chunk);
  });
  child.on("message", (message: Result | { alive: true }) => {
    clearTimeout(watch);
    watch = setTimeout(hang, SILENCE_MS);
    if ("inputs" in message) ended.result = message;
  });
  return new Promise((resolve) =>
    child.on("close", () => {
      clearTimeout(watch);
      resolve(ended);
    }),
  );
}

async function fuzz(name: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-fuzz-"));
  const currentFile = join(folder, "input");
  const { result, hung, stderr } = await runTarget(name, currentFile);
  if (result === undefined) {
    mkdirSync(crashes, { recursive: true });
    const kept = join(crashes, `${name}-${values.seed}`);
    // If the file is missing, the process failed before its first input.
    if (existsSync(currentFile)) copyFileSync(currentFile, kept);
    console.log(`FAILED  ${name}: ${hung ? `no end within ${SILENCE_MS / 1_000} s` : stderr.trim()}`);
    console.log(`        npm run fuzz -- ${name} --input ${kept}`);
  } else {
    const { inputs, corpus, blocks, exponent, allocated, held, isLinear, isBounded, worstInput } = result;
    const fit = exponent === undefined ? "below 8 ms at 256 KB" : `time ~ size^${exponent.toFixed(2)}`;
    const memory = `${allocated.toFixed(0)} bytes allocated and ${held.toFixed(2)} held a byte`;
    const growth = TARGETS.find((target) => target.name === name)?.isBounded ? "not grown" : `${fit}, ${memory}`;
    const counts = `${inputs} inputs, ${corpus} in the corpus, ${blocks} blocks`;
    console.log(`${isLinear && isBounded ? "passed" : "FAILED"}  ${name.padEnd(16)} ${counts}; ${growth}`);
    const flaw = isLinear ? `above ${MAX_ALLOCATED} allocated or ${MAX_HELD} held` : "above linear";
    if (!(isLinear && isBounded)) console.log(`        ${flaw}, repeated: ${JSON.stringify(worstInput.slice(0, 300))}`);
  }
  rmSync(folder, { recursive: true });
  return (result?.isLinear && result.isBounded) ?? false;
}

const unknown = positionals.filter((name) => TARGETS.every((target) => target.name !== name));
if (unknown.length > 0) {
  throw new Error(`unknown target ${unknown.join(", ")}; expected ${TARGETS.map(({ name }) => name).join(", ")}`);
}
const wanted = TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (values.input === undefined) {
  console.log(`seed ${values.seed}, ${values.seconds} s a target`);
  let failed = 0;
  for (const { name } of wanted) if (!(await fuzz(name))) failed += 1;
  console.log(`${wanted.length} targets, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  for (const target of wanted) await target.read(readFileSync(values.input));
  console.log("no crash");
}
