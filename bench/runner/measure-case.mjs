/** Runs the programs of a case, each in a process of its own, round after round. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const bench = fileURLToPath(new URL("..", import.meta.url));
const TIMEOUT_MS = 10 * 60_000;
/** Figures are noise from the fifth digit on. */
const DIGITS = 5;

/** The last line that a program prints is its measurement. */
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

/** `{ metric: number }` for the row of the program, or `{ row: { metric: number } }` for several. */
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
 * All programs of a case, in another order each round, so that none is always first. The first round warms up the disk's
 * cache and is not counted where the case says so.
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

/** The rows in the order of the description, whichever was measured first. */
function inOrder(measured, programs) {
  const names = programs.map(({ row }) => row).filter((row) => row in measured);
  return Object.fromEntries([...new Set([...names, ...Object.keys(measured)])].map((row) => [row, measured[row]]));
}
