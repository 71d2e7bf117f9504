/** Every operation with every fault at every attempt, over real sockets. */
import { describe, expect, it } from "vitest";
import { ATTEMPTS, runCell } from "./cell.js";
import { differing } from "./differing.js";
import { FAULTS } from "./faults.js";
import { SCENARIOS } from "./scenarios.js";

describe.concurrent("every fault gives the operation the result that docs/errors.md documents", () => {
  it.each(SCENARIOS)("$name", async (scenario) => {
    const jobs = FAULTS.flatMap((fault) =>
      ATTEMPTS.map((attempt) => (patience: number) => runCell(scenario, fault, attempt, patience)),
    );
    expect(await differing(jobs)).toEqual([]);
  });
});
