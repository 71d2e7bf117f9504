/**
 * Seeded simulations of days with a hostile service. `SIMULATION_SEEDS=1000` runs more of them, `SIMULATION_FROM=42` begins
 * with another seed: the night uses the date.
 */
import { describe, expect, it } from "vitest";
import { simulate } from "./simulate.js";

const COUNT = Number(process.env.SIMULATION_SEEDS ?? 30);
const FROM = Number(process.env.SIMULATION_FROM ?? 1);
const BLOCK = 10;

describe("syncMeetings, after days with a service that fails, moves, hides and repeats", () => {
  const blocks = Array.from({ length: Math.ceil(COUNT / BLOCK) }, (_, index) => FROM + index * BLOCK);
  it.each(blocks)("has stored everything once, and nothing else: seeds from %i on", async (from) => {
    const differences: Record<number, readonly string[]> = {};
    for (let seed = from; seed < Math.min(from + BLOCK, FROM + COUNT); seed += 1) {
      const found = await simulate(seed);
      if (found.differences.length > 0) differences[seed] = found.differences;
    }
    expect(differences).toEqual({});
  });
});
