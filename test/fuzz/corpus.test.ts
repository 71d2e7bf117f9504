/** The inputs that `npm run fuzz` starts from, each one once. */
import { describe, expect, it } from "vitest";
import { readCorpus } from "../../scripts/fuzz/corpus.js";
import { TARGETS } from "../../scripts/fuzz/targets.js";

describe("the corpus of the fuzzing", () => {
  it.each(TARGETS)("causes no crash: $name", async ({ name, read }) => {
    const inputs = readCorpus(name);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) await read(input);
  });
});
