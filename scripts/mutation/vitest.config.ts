/**
 * The Vitest configuration for the tests of an area in the copy of the repository. run-tests.ts sets the environment
 * variables.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import usual from "../../vitest.config.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = (process.env.MUTATION_TESTS ?? "").split(",");

/** Runs the tests nearest to the sources first, because they find most mutants. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const distance = ({ moduleId }: TestSpecification) =>
      folders.findIndex((folder) => moduleId.includes(`/test/${folder}`));
    return [...files].sort((a, b) => distance(a) - distance(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  root,
  resolve: usual.resolve ?? {},
  test: {
    setupFiles: usual.test?.setupFiles ?? [],
    include: folders.map((folder) => (folder.endsWith("/") ? `test/${folder}**/*.test.ts` : `test/${folder}*.test.ts`)),
    reporters: ["dot"],
    runner: fileURLToPath(new URL("./mutating-runner.ts", import.meta.url)),
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 10_000,
    sequence: { sequencer: NearestFirst },
    dangerouslyIgnoreUnhandledErrors: true,
    onConsoleLog: () => false,
  },
});
