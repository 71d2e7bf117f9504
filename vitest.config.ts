import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patience } from "./test/support/property-seed.js";

const path = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Tests and examples import the package as a user does; here those names lead to the source. */
const alias = [
  { find: /^notetaker-sdk$/, replacement: path("src/index.ts") },
  {
    find: /^notetaker-sdk\/(node|transcript|webhooks|browser|redis|sql|otel|tools|doctor|testing)$/,
    replacement: path("src/$1/index.ts"),
  },
];

/** In the tests of the examples, those names lead to the packed package, which their setup installs. */
const packedPackage: Plugin = {
  name: "packed package",
  enforce: "pre",
  resolveId(id) {
    if (!/^notetaker-sdk(\/|$)/.test(id)) return undefined;
    return this.resolve(id, path("examples/package.json"), { skipSelf: true });
  },
};

/**
 * What takes longest, by the names of the files. In a clone, Vitest knows only their sizes, and at the end of the run,
 * one core would wait for these.
 */
const LONGEST = [
  "examples/test/nextjs",
  "examples/test/many-accounts.test",
  "examples/test/web-app",
  "test/faults",
  "test/postgres/postgres-store",
  "test/package/(types|generated)",
  "examples/test/(readme-commands|express|rag|tanstack)",
  "test/sync/simulation",
  "test/redis/(throttle|clients)",
  "test/(model|docs/guides-run|node/folder-store/(kills|sync)|e2e)",
].map((name) => new RegExp(`/${name}`));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = LONGEST.map((name) => sorted.filter(({ moduleId }) => name.test(moduleId)));
    return [...new Set([...isLong.flat(), ...sorted])];
  }
}

/** More workers than cores, because other processes do the work of many of these files, or time passes. */
const WITH_PROCESSES = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 1 } };

const SMOKE_TEST = "test/package/smoke.test.ts";

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: [path("test/support/property-seed.ts"), path("test/support/clean-globals.ts")],
    // `scripts/slowest.ts` reads the report of CI.
    reporters: [
      "default",
      path("test/support/closing-line.ts"),
      ...(process.env.CI === undefined ? [] : [["json", { outputFile: "reports/unit.json" }] as ["json", object]]),
    ],
    // Modules are loaded once a worker, not once a file; test/support/clean-globals.ts keeps the files apart.
    isolate: false,
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    projects: [
      // Fast, in memory: what `npm run check` runs, and `npm test` with the smoke test.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/sync/simulation/**",
            "test/{package,browser,e2e,redis,postgres,faults,model}/**",
            "test/**/*.slow.test.ts",
          ],
          // A machine that is busy with other things is no failure.
          testTimeout: patience(120_000),
        },
      },
      // A file that needs more than 1.5 s of one worker: attacks of megabytes, kills, processes, the guides' programs.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "slow",
          include: ["test/**/*.slow.test.ts"],
          testTimeout: patience(300_000),
        },
      },
      // The package, built, packed and installed in an empty folder: makes calls, and its types compile.
      {
        extends: true,
        test: {
          name: "smoke",
          include: [SMOKE_TEST],
          globalSetup: ["test/support/packed.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // The packed package in full, programs of their own, and what is generated.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "package",
          include: ["test/{package,e2e}/**/*.test.ts"],
          exclude: [SMOKE_TEST],
          isolate: true,
          globalSetup: ["test/support/packed.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // Every operation with every fault, on real sockets, and random calls compared with a model of the service.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "faults",
          include: ["test/{faults,model,sync/simulation}/**/*.test.ts"],
          testTimeout: patience(1_800_000),
        },
      },
      // With a real Redis, each test file its own: skipped, with one line that says so, where redis-server is missing.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "redis",
          include: ["test/redis/**/*.test.ts"],
          isolate: true,
          globalSetup: ["test/redis/support/say-if-skipped.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // With a real Postgres: skipped, with one line that says so, where its programs are missing.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "postgres",
          include: ["test/postgres/**/*.test.ts"],
          isolate: true,
          globalSetup: ["test/postgres/support/say-if-skipped.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // In a page of a browser that comes with `npm ci`.
      {
        extends: true,
        test: {
          ...WITH_PROCESSES,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          isolate: true,
          globalSetup: ["test/browser/setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // The examples and recipes, with the packed package and their own dependencies: `npm run test:examples`.
      {
        plugins: [packedPackage],
        test: {
          name: "examples",
          include: ["examples/test/*.test.ts", "examples/recipes/nextjs/test/*.test.ts"],
          ...WITH_PROCESSES,
          globalSetup: ["examples/test/support/setup.ts", "test/browser/setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
