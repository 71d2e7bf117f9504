/** How the time of a target grows with its input: the exponent of the fit of time = c × size^exponent. */
import type { Target } from "./targets.js";

const SIZES = [32_768, 65_536, 131_072, 262_144];
const ROUNDS = 3;
/** Below this, the clock measures the machine. */
const MEASURABLE_MS = 8;
/** 1 is linear. A busy machine adds some. */
export const MAX_EXPONENT = 1.5;

const repeated = (input: Buffer, size: number) =>
  Buffer.concat(Array(Math.ceil(size / Math.max(1, input.length))).fill(input)).subarray(0, size);

/** The CPU time of the fastest of a few runs. */
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

/** The slope of the least squares through the logarithms. */
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
}

/** Grows one input by repetition. Its first byte stays the first: targets choose by it. */
export async function growthOf(target: Target, input: Buffer): Promise<Growth> {
  const points: [number, number][] = [];
  for (const size of SIZES) points.push([size, await timeOf(target, repeated(input, size))]);
  const largestMs = points.at(-1)?.[1] ?? 0;
  const measurable = points.filter(([, ms]) => ms >= MEASURABLE_MS / 4);
  const exponent = largestMs < MEASURABLE_MS || measurable.length < 3 ? undefined : exponentOf(measurable);
  return { exponent, largestMs };
}
