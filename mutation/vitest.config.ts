/** The unit tests, including the slow ones, with fewer examples for each property. */
import type { TestProjectInlineConfiguration } from "vitest/config";
import everything from "../vitest.config.js";

process.env.PROPERTY_RUNS ??= "40";

const projects = (everything.test?.projects ?? []) as TestProjectInlineConfiguration[];
const isUnit = ({ test }: TestProjectInlineConfiguration) => /^(unit|slow)$/.test(String(test?.name));

export default { ...everything, test: { ...everything.test, projects: projects.filter(isUnit) } };
