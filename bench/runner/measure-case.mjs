/** Runs the programs of a case in rounds, each program in a new process. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const bench = fileURLToPath(new URL("..", import.meta.url));
const TIMEOUT_MS = 10 * 60_000;
/** Measurements are rounded to this many digits. Further digits are noise. */
const DIGITS = 5;

/** Runs a program. The last line that it prints is its measurement. */
async function runProgram(node, { row, program, args = [], nodeArgs = [] }, context) {
  const command = [...nodeArgs, program, ...args.map((arg) => context.values[arg] ?? arg)];
  const { stdout } = await promisify(execFile)(node, command, {
    cwd: bench,
    timeout: TIMEOUT_MS,
    maxBuffer: 1e8,
    env: { ...process.env, ...context.env },
  });
  const line = stdout.trim().split("\n").at(-1);
  return readMeasurement(line, row ?? program);
}

/** Parses `{ metric: number }` for the program's only row, or `{ row: { metric: number } }` for several rows. */
export function readMeasurement(line, row) {
  const measured = JSON.parse(line);
  const isOne = Object.values(measured).every((value) => typeof value === "number");
  return Object.fromEntries(
    Object.entries(isOne ? { [row]: measured } : measured).map(([name, metrics]) => [name, rounded(metrics)]),
  );
}

const rounded = (metrics) =>
  Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, Number(value.toPrecision(DIGITS))]));

/**
 * Runs all programs of a case. Each round has another order, so that no program is always first. With `warmUp`, the
 * first round fills the disk's cache and is not counted.
 */
export async function measureCase(description, { node, mode, onRound = () => {} }) {
  const programs = description.programs({ mode });
  const count = description.rounds[mode];
  const context = (await description.start?.({ mode, node })) ?? {};
  const { values = {}, env = {}, stop = () => {} } = context;
  const rounds = [];
  try {
    for (let round = description.warmUp ? -1 : 0; round < count; round += 1) {
      const measured = {};
      for (let index = 0; index < programs.length; index += 1) {
        const program = programs[(index + round + programs.length) % programs.length];
        Object.assign(measured, await runProgram(node, program, { values, env }));
      }
      if (round >= 0) rounds.push(inOrder(measured, programs));
      onRound(round + 1, count);
    }
  } finally {
    await stop();
  }
  return rounds;
}

/** The rows in the order of the case's description. */
function inOrder(measured, programs) {
  const names = programs.map(({ row }) => row).filter((row) => row in measured);
  return Object.fromEntries([...new Set([...names, ...Object.keys(measured)])].map((row) => [row, measured[row]]));
}
