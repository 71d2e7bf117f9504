/** The unit tests, including the slow ones. Changed source is slower, and Stryker itself ends what takes too long. */
import type { TestProjectInlineConfiguration } from "vitest/config";
import everything from "../vitest.config.js";

const projects = ((everything.test?.projects ?? []) as TestProjectInlineConfiguration[])
  .filter(({ test }) => /^(unit|slow)$/.test(String(test?.name)))
  .map((project) => ({ ...project, test: { ...project.test, testTimeout: 300_000 } }));

export default { ...everything, test: { ...everything.test, projects } };
