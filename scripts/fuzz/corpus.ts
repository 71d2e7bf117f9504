/**
 * Reads and writes the corpus, the inputs with which fuzzing starts. Each target has a file with one line for each
 * input: its bytes as a JSON string (Latin-1).
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const fileOf = (target: string) => fileURLToPath(new URL(`corpus/${target}.jsonl`, import.meta.url));

export function readCorpus(target: string): Buffer[] {
  const path = fileOf(target);
  if (!existsSync(path)) throw new Error(`${path} is missing: the inputs that the target ${target} starts from`);
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => Buffer.from(JSON.parse(line) as string, "latin1"));
}

export function writeCorpus(target: string, inputs: readonly Buffer[]): void {
  const lines = inputs.map((input) => `${JSON.stringify(input.toString("latin1"))}\n`);
  writeFileSync(fileOf(target), lines.join(""));
}
