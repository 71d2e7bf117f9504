/**
 * The unit tests, including the slow ones, and the tests with a real Redis or Postgres, which are skipped where it is
 * missing. Changed source is slower, and Stryker itself ends what takes too long.
 */
import type { TestProjectInlineConfiguration } from "vitest/config";
import everything from "../vitest.config.js";

const LEFT_OUT = [
  // Loads the package again in each test, so Stryker takes these tests for the only ones that reach the constants.
  "test/errors/identity.test.ts",
  // Only measure time, and changed source is slower.
  "test/schemas/long-texts.slow.test.ts",
  "test/transcript/linear.slow.test.ts",
];

const projects = ((everything.test?.projects ?? []) as TestProjectInlineConfiguration[])
  .filter(({ test }) => /^(unit|slow|redis|postgres)$/.test(String(test?.name)))
  .map(({ test, ...project }) => ({
    ...project,
    test: { ...test, exclude: [...(test?.exclude ?? []), ...LEFT_OUT], testTimeout: 300_000 },
  }));

export default { ...everything, test: { ...everything.test, projects } };
