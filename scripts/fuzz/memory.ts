/**
 * Measures the memory of a target, in bytes per byte of its input. The process needs `--expose-gc`, and a young
 * generation that is large enough for all allocations of one read, so that no garbage is collected during it.
 */
import type { Target } from "./targets.js";

/** The limit for all allocations of one read, garbage included. The target `responses` reads its input twice. */
export const MAX_ALLOCATED = 800;
/**
 * The limit for memory that is still in use after the reads: less than a copy of each input, plus memory of the
 * runtime.
 */
export const MAX_HELD = 4;
const ROUNDS = 3;

export interface Memory {
  /** Bytes allocated for each byte of the input. */
  allocated: number;
  /** Bytes in use after garbage collection, for each byte of the inputs. */
  held: number;
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function collect(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("start it with --expose-gc");
  // The second collection frees what microtasks and finalizers still held at the first.
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
}

/** Runs the target with the input, and returns the memory that it used. */
export async function memoryOf(target: Target, input: Buffer): Promise<Memory> {
  // The first read is not measured, because it also allocates caches.
  await target.read(input);
  await collect();
  const before = used();
  let allocated = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    await collect();
    const start = used();
    await target.read(input);
    allocated = Math.min(allocated, Math.max(0, used() - start));
  }
  await collect();
  const held = Math.max(0, used() - before) / ROUNDS;
  return { allocated: allocated / input.length, held: held / input.length };
}
