/** Runs each input of the fuzzing corpus (`npm run fuzz`) once. */
import { describe, expect, it } from "vitest";
import { readCorpus } from "../../scripts/fuzz/corpus.js";
import { TARGETS } from "../../scripts/fuzz/targets.js";

describe("the fuzzing corpus", () => {
  it.each(TARGETS)("crashes no target: $name", async ({ name, read }) => {
    const inputs = readCorpus(name);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) await read(input);
  });
});
