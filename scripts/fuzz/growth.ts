/** Measures how the time and memory of a target grow with its input: the exponent in time = c × size^exponent. */
import { repeated, withLongerList } from "./grow.js";
import { type Memory, memoryOf } from "./memory.js";
import type { Target } from "./targets.js";

const SIZES = [32_768, 65_536, 131_072, 262_144];
const ROUNDS = 3;
/** A shorter time is too noisy to measure. */
const MEASURABLE_MS = 8;
/** The largest exponent that is accepted. 1 is linear; a busy machine adds some noise. */
export const MAX_EXPONENT = 1.5;

/** The CPU time of the fastest of several runs. */
async function timeOf(target: Target, input: Buffer): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await target.read(input);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** The slope of a least-squares fit to the logarithms. */
function exponentOf(points: readonly (readonly [size: number, ms: number])[]): number {
  const logs = points.map(([size, ms]) => [Math.log(size), Math.log(ms)] as const);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const covariance = mean(logs.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / mean(logs.map(([x]) => (x - meanX) ** 2));
}

export interface Growth {
  /** `undefined` if the largest input takes too little time to be measured. */
  exponent: number | undefined;
  largestMs: number;
  /** The memory for the largest input. */
  memory: Memory;
}

/**
 * Enlarges an input in two ways: by repeating it as a whole, and by repeating the elements of its first list. Returns
 * the worse result.
 */
export async function growthOf(target: Target, input: Buffer): Promise<Growth> {
  const whole = await growthBy(target, (size) => repeated(input, size));
  if (withLongerList(input, 0) === undefined) return whole;
  const list = await growthBy(target, (size) => withLongerList(input, size) ?? input);
  return {
    exponent: list.exponent === undefined ? whole.exponent : Math.max(list.exponent, whole.exponent ?? 0),
    largestMs: Math.max(list.largestMs, whole.largestMs),
    memory: {
      allocated: Math.max(list.memory.allocated, whole.memory.allocated),
      held: Math.max(list.memory.held, whole.memory.held),
    },
  };
}

async function growthBy(target: Target, grown: (size: number) => Buffer): Promise<Growth> {
  const points: [number, number][] = [];
  for (const size of SIZES) points.push([size, await timeOf(target, grown(size))]);
  const largestMs = points.at(-1)?.[1] ?? 0;
  const measurable = points.filter(([, ms]) => ms >= MEASURABLE_MS / 4);
  const exponent = largestMs < MEASURABLE_MS || measurable.length < 3 ? undefined : exponentOf(measurable);
  return { exponent, largestMs, memory: await memoryOf(target, grown(SIZES.at(-1) ?? 0)) };
}
