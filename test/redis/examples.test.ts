/** The examples with several processes, run from the command line as users run them. */
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program.js";
import { hasRedis } from "./support/redis-server.js";

it.runIf(hasRedis)(
  "two processes handle each delivery once, and a reader of one process gets the events that the other handled",
  async () => {
    const { output, exitCode } = await runProgram("examples/several-processes/main.ts");
    const handled = [...output.matchAll(/^[AB] handled (mtg_\d+)/gm)].map(([, id]) => id);
    expect(new Set(handled).size, output).toBe(12);
    expect(handled).toHaveLength(12);
    expect(output).toContain("The reader heard 12 of 12 events, each of them handled once.");
    expect(exitCode).toBe(0);
  },
);

it.runIf(hasRedis)("the queue creates one job for a delivery that comes twice", async () => {
  const { output, exitCode } = await runProgram("examples/several-processes/queue.ts");
  expect(output).toContain("Saved the transcript of mtg_1: 1 segments.");
  expect(output).toContain("Jobs: 1.");
  expect(exitCode).toBe(0);
});
