/** A small part of the fault matrix: `npm run faults` runs every cell. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ATTEMPTS, type Attempt, runCell } from "./cell.js";
import { FAULTS } from "./faults.js";
import { runJourney } from "./journey-cell.js";
import { JOURNEYS } from "./journeys.js";
import { SCENARIOS } from "./scenarios.js";
import { faultTable } from "./table.js";

/** Runs all jobs, a few at the same time, and returns the cells whose result differs from the table. */
async function differing<C extends { passed: boolean }>(jobs: (() => Promise<C>)[]): Promise<C[]> {
  const left = [...jobs];
  const cells: C[] = [];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) cells.push(await job());
  };
  await Promise.all(Array.from({ length: 40 }, work));
  expect(cells).toHaveLength(jobs.length);
  return cells.filter(({ passed }) => !passed);
}

const scenarioNamed = (name: string) => SCENARIOS.filter((scenario) => scenario.name === name);

describe("every fault at every attempt", () => {
  it.each(["rooms.list", "meetings.sendBot", "webhooks.delete"])(
    "gives %s the result in the table of faults",
    async (name) => {
      const jobs = scenarioNamed(name).flatMap((scenario) =>
        FAULTS.flatMap((fault) => ATTEMPTS.map((attempt) => () => runCell(scenario, fault, attempt))),
      );
      expect(jobs).toHaveLength(FAULTS.length * ATTEMPTS.length);
      expect(await differing(jobs)).toEqual([]);
    },
  );
});

/** One fault of each kind. */
const KINDS = [
  "connection refused",
  "reset in the body",
  "HTML of a proxy with status 200",
  "status 301",
  "status 403",
];
const KINDS_OF_STATUS = ["status 404", "status 503", "Retry-After of 0"];

describe("one fault of each kind", () => {
  const faults = FAULTS.filter(({ name }) => [...KINDS, ...KINDS_OF_STATUS].includes(name));

  it.each(SCENARIOS.map(({ name }) => name))("gives %s the result in the table of faults", async (name) => {
    const jobs = scenarioNamed(name).flatMap((scenario) => faults.map((fault) => () => runCell(scenario, fault, 1)));
    expect(jobs).toHaveLength(KINDS.length + KINDS_OF_STATUS.length);
    expect(await differing(jobs)).toEqual([]);
  });

  // A watch is left out because it waits five seconds after the first failure, and ten after the next.
  const journeys = JOURNEYS.filter(({ name }) => name !== "watch");

  it.each(journeys.map((journey) => [journey.name, journey] as const))(
    "gives the journey %s the result of its rule",
    async (_, journey) => {
      const attempts: Attempt[] = [1, 2];
      const jobs = faults.flatMap((fault) => attempts.map((attempt) => () => runJourney(journey, fault, attempt)));
      expect(await differing(jobs)).toEqual([]);
    },
  );
});

describe("the table of faults in docs/errors.md", () => {
  it("is the table that the fault matrix tests", () => {
    const guide = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
    expect(guide).toContain(faultTable());
  });
});
