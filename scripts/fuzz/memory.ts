/**
 * The memory of a target, in bytes for each byte of its input. The process needs `--expose-gc`, and a young generation
 * that holds all that one read allocates, so that nothing is collected meanwhile.
 */
import type { Target } from "./targets.js";

/** What one read allocates in all, garbage included: more than it ever needs at once. `responses` reads twice. */
export const MAX_ALLOCATED = 800;
/** What is still held when reads have ended: less than a copy for each of them, besides what the runtime keeps. */
export const MAX_HELD = 4;
const ROUNDS = 3;

export interface Memory {
  /** Bytes allocated for each byte of the input. */
  allocated: number;
  /** Bytes held after collection for each byte of the inputs that were read. */
  held: number;
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function collect(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error("start it with --expose-gc");
  // What a microtask or a finalizer still holds goes with the second.
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
}

/** Reads the input, and says what that took. */
export async function memoryOf(target: Target, input: Buffer): Promise<Memory> {
  // What is built once is not of this input.
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
