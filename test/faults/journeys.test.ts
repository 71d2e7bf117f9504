/** Every method that sends more than one request, with every fault at every attempt, over real sockets. */
import { describe, expect, it } from "vitest";
import { ATTEMPTS } from "./cell.js";
import { differing } from "./differing.js";
import { FAULTS } from "./faults.js";
import { runJourney } from "./journey-cell.js";
import { JOURNEYS } from "./journeys.js";

// Most of their time is waiting: a watch waits for five seconds after a failure.
describe.concurrent("every fault gives the journey the result of its rule", () => {
  it.each(JOURNEYS)("$name", async (journey) => {
    const jobs = FAULTS.flatMap((fault) =>
      ATTEMPTS.map((attempt) => (patience: number) => runJourney(journey, fault, attempt, patience)),
    );
    expect(await differing(jobs)).toEqual([]);
  });
});
