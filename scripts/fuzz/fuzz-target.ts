/**
 * Fuzzes one target: `fuzz-target.ts <name> <seconds> <seed> <file for the current input> [keep]`. `run.ts` starts this
 * process and watches it.
 */
import { ftruncateSync, openSync, writeSync } from "node:fs";
import { readCorpus, writeCorpus } from "./corpus.js";
import { Coverage } from "./coverage.js";
import { growthOf, MAX_EXPONENT } from "./growth.js";
import { MAX_ALLOCATED, MAX_HELD } from "./memory.js";
import { mutate, randomOf } from "./mutate.js";
import { TARGETS } from "./targets.js";

const [name = "", seconds = "20", seed = "1", currentFile = "", keep = ""] = process.argv.slice(2);
const found = TARGETS.find((target) => target.name === name);
if (found === undefined) throw new Error(`unknown target ${name}`);
const target = found;

const BATCH = 100;
/** How many inputs are enlarged to measure how time and memory grow. */
const MAX_GROWN = 8;
/** Limits that keep the corpus in the repository small. */
const MAX_KEPT = 40;
const MAX_KEPT_LENGTH = 600;
const random = randomOf(Number(seed));
const coverage = new Coverage();
const current = openSync(currentFile, "w");

/**
 * Runs the target with an input. The input is written to a file first, so that it is known if the process hangs or
 * dies.
 */
async function read(input: Buffer): Promise<void> {
  ftruncateSync(current);
  writeSync(current, input, 0, input.length, 0);
  await target.read(input);
}

/** The inputs that have reached new code, in the order in which they were found. */
const corpus: Buffer[] = [];
async function keepIfNew(input: Buffer): Promise<void> {
  await read(input);
  if (coverage.learn(await coverage.takeUnknown())) corpus.push(input);
}

await coverage.start();
for (const input of readCorpus(name)) await keepIfNew(input);
if (corpus.length === 0) throw new Error(`the corpus of ${name} runs no code of src`);

const endsAt = Date.now() + Number(seconds) * 1_000;
let inputs = 0;
const pick = () => corpus[Math.floor(random() * corpus.length)] ?? Buffer.alloc(0);
while (Date.now() < endsAt) {
  const batch = Array.from({ length: BATCH }, () => mutate(pick(), pick(), random));
  for (const input of batch) await read(input);
  inputs += batch.length;
  process.send?.({ alive: true });
  const blocks = await coverage.takeUnknown();
  if (blocks.length === 0) continue;
  // An input of the batch has reached new code. They run again, one by one, to find it.
  for (const input of batch) await keepIfNew(input);
  coverage.learn(blocks);
}
await coverage.stop();

let exponent: number | undefined;
let worstInput: Buffer = Buffer.alloc(0);
let allocated = 0;
let held = 0;
const grown = target.isBounded ? [] : corpus.slice(-MAX_GROWN).filter(({ length }) => length > 0);
for (const input of grown) {
  ftruncateSync(current);
  writeSync(current, input, 0, input.length, 0);
  const growth = await growthOf(target, input);
  process.send?.({ alive: true });
  const isWorse =
    growth.memory.allocated > Math.max(allocated, MAX_ALLOCATED) || (growth.exponent ?? 0) > (exponent ?? 0);
  if (isWorse) worstInput = input;
  if ((growth.exponent ?? 0) > (exponent ?? 0)) exponent = growth.exponent;
  allocated = Math.max(allocated, growth.memory.allocated);
  held = Math.max(held, growth.memory.held);
}
process.send?.({
  inputs,
  corpus: corpus.length,
  blocks: coverage.size,
  exponent,
  allocated,
  held,
  isLinear: (exponent ?? 0) <= MAX_EXPONENT,
  isBounded: allocated <= MAX_ALLOCATED && held <= MAX_HELD,
  worstInput: worstInput.toString("latin1"),
});
if (keep === "keep") {
  const short = corpus.filter(({ length }) => length <= MAX_KEPT_LENGTH);
  writeCorpus(name, short.slice(0, MAX_KEPT));
}
process.disconnect?.();
