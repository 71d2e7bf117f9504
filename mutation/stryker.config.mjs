/**
 * `npm run mutation`: tests the tests. Stryker changes the source in one place at a time, and runs the unit tests that
 * reach this place: at least one should fail. It needs Node 22.
 *
 *   npm run mutation -- --mutate "src/errors/*.ts" --testFiles "test/errors/*.test.ts"
 *
 * A change that nobody can notice is marked in place: `// Stryker disable next-line <kind of change>: the reason`.
 */
import { fileURLToPath } from "node:url";

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "vitest",
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  vitest: { configFile: "mutation/vitest.config.ts", pool: "forks" },
  // The emulator is a tool for tests. The public lists only name what other files have.
  mutate: ["src/**/*.ts", "!src/testing/**", "!src/**/index.ts"],
  coverageAnalysis: "perTest",
  // The tests compare examples with the guides, so no comment may be added to them.
  disableTypeChecks: false,
  // What runs while a module is loaded would need every test in a process of its own.
  ignoreStatic: true,
  // With --incremental, earlier results of every file in it count in the score, so only the nightly jobs use it.
  incrementalFile: "reports/mutation/incremental.json",
  tempDirName: "reports/mutation/sandbox",
  ignorePatterns: ["/dist", "/reports", "/reference", "/docs/.vitepress/dist", "/docs/.vitepress/cache"],
  reporters: ["progress", "clear-text", "html", "json"],
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  htmlReporter: { fileName: "reports/mutation/index.html" },
  jsonReporter: { fileName: "reports/mutation/mutation.json" },
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 30,
  thresholds: { high: 90, low: 85, break: 80 },
};
