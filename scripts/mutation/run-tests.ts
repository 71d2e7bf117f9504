/**
 * Runs the tests in the copy of the repository until each test has tried its mutants. If a try hangs, its process is
 * killed and restarted.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "./record.js";

/** A process that writes nothing for this long is in an endless loop that a mutant causes. */
const SILENCE_MS = 90_000;
/** The shorter limit while a mutant is tried: a test without an endless loop writes a line much earlier. */
const tryLimitMs = (slowMs: number) => Math.min(SILENCE_MS, 20_000 + 20 * slowMs);
const LOOK_MS = 2_000;
const QUICK_TEST_MS = 40;
const SLOW_TEST_MS = 3_000;
const MAX_RESTARTS = 100;

export function readRecord(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.endsWith("}"))
    .map((text) => JSON.parse(text) as Line);
}

interface Tests {
  /** Folders of `test`. */
  folders: string[];
  /** Tests that take longer, in milliseconds, do not try mutants. */
  slowMs: number;
}

/** @returns whether all tests have completed */
async function runOnce(copy: string, record: string, { folders, slowMs }: Tests): Promise<boolean> {
  const vitest = join(copy, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", "scripts/mutation/vitest.config.ts", "--typecheck.enabled=false"],
    {
      cwd: copy,
      detached: true,
      stdio: process.env.MUTATION_SHOW === undefined ? "ignore" : "inherit",
      env: {
        ...process.env,
        MUTATION_RECORD: record,
        MUTATION_ROOT: copy,
        MUTATION_TESTS: folders.map((folder) => `${folder}/`).join(","),
        MUTATION_SLOW_MS: String(slowMs),
        PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? "20",
        NODE_OPTIONS: "--max-old-space-size=3072",
      },
    },
  );
  const end = () => process.kill(-(child.pid ?? 0), "SIGKILL");
  const endAll = () => {
    end();
    process.exit(1);
  };
  process.once("SIGINT", endAll).once("SIGTERM", endAll);
  let hasEnded = false;
  let exitCode: number | null = null;
  const ended = new Promise<void>((resolve) => {
    child.once("close", (code) => {
      hasEnded = true;
      exitCode = code;
      process.off("SIGINT", endAll).off("SIGTERM", endAll);
      resolve();
    });
  });
  let size = -1;
  let lastChange = Date.now();
  while (!hasEnded) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
    const now = existsSync(record) ? statSync(record).size : 0;
    if (now !== size) lastChange = Date.now();
    size = now;
    const silentMs = Date.now() - lastChange;
    const isTrying = silentMs > tryLimitMs(slowMs) && readRecord(record).at(-1)?.what === "try";
    if (!hasEnded && (isTrying || silentMs > SILENCE_MS)) {
      end();
      await ended;
    }
  }
  return exitCode === 0;
}

/**
 * After a process was killed: records the mutant that made it hang as found, or leaves out the test that ends the
 * process.
 */
function noteUnended(record: string): void {
  const last = readRecord(record).at(-1);
  const lines: Line[] = [];
  if (last?.what === "try") lines.push({ what: "found", test: last.test, mutant: last.mutant, message: "did not end" });
  if (last?.what === "begin") {
    console.log(`  left out, because it ends the process: ${last.test}`);
    lines.push({ what: "finished", test: last.test });
  }
  for (const line of lines) appendFileSync(record, `${JSON.stringify(line)}\n`);
}

async function runToTheEnd(copy: string, record: string, tests: Tests): Promise<void> {
  let before = -1;
  for (let restart = 0; restart <= MAX_RESTARTS; restart += 1) {
    if (await runOnce(copy, record, tests)) return;
    noteUnended(record);
    const after = readRecord(record).length;
    if (after === before) throw new Error(`Vitest fails before the first test; in ${copy}, see what it prints`);
    before = after;
  }
  throw new Error(`the tests did not come to an end within ${MAX_RESTARTS} restarts; the record is ${record}`);
}

/** Lets the quick tests try the mutants first, and then the slow tests try the remaining ones. */
export async function runTests(copy: string, record: string, folders: string[]): Promise<void> {
  for (const slowMs of [QUICK_TEST_MS, SLOW_TEST_MS]) await runToTheEnd(copy, record, { folders, slowMs });
}
