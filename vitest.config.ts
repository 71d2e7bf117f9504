import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { patience } from "./test/support/property-seed.js";

const path = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Tests and examples import the package as a user does; here those names lead to the source. */
const alias = [
  { find: /^notetaker-sdk$/, replacement: path("src/index.ts") },
  {
    find: /^notetaker-sdk\/(node|transcript|webhooks|browser|redis|otel|tools|doctor|testing)$/,
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
 * Unit tests that take a second or more each: attacks of megabytes, real reconnections, a kill at every step, programs
 * of their own, properties whose examples are costly.
 */
const SLOW_UNIT_TESTS = [
  "test/docs/guides-run.test.ts",
  "test/doctor/{command,diagnose}.test.ts",
  "test/errors/{content,hostile-answers}.test.ts",
  "test/fuzz/untrusted-input.property.test.ts",
  "test/media/download/download-recording.property.test.ts",
  "test/media/upload/early-responses.test.ts",
  "test/node/export/{export-meetings,gone-meetings,odd-answers,repeated-meetings}.test.ts",
  "test/node/export/{failing-disk,pace,untrusted-folder}.test.ts",
  "test/redact/redactor.test.ts",
  "test/schemas/long-texts.test.ts",
  "test/testing/adapters/http-server.test.ts",
  "test/testing/capture/capture-seed.test.ts",
  "test/transcript/linear.test.ts",
  "test/transport/{cursor-history,lost-connection,page-walks}.test.ts",
  "test/webhooks/http/hostile-bodies.test.ts",
  "test/webhooks/relay-and-subscribe.test.ts",
  "test/webhooks/subscribe/connections.test.ts",
];

const SMOKE_TEST = "test/package/smoke.test.ts";

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: [path("test/support/property-seed.ts"), path("test/support/clean-globals.ts")],
    reporters: ["default", path("test/support/closing-line.ts")],
    // Modules are loaded once a worker, not once a file; test/support/clean-globals.ts keeps the files apart.
    isolate: false,
    maxWorkers: "100%",
    projects: [
      // Fast, in memory: what `npm run check` runs.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{package,browser,e2e,redis,faults,model}/**", ...SLOW_UNIT_TESTS],
          // A machine that is busy with other things is no failure.
          testTimeout: patience(120_000),
        },
      },
      // Like the unit tests, but not for every change. `npm test` runs both, and the smoke test.
      {
        extends: true,
        test: { name: "slow", include: SLOW_UNIT_TESTS, testTimeout: patience(300_000) },
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
        test: { name: "faults", include: ["test/{faults,model}/**/*.test.ts"], testTimeout: patience(1_800_000) },
      },
      // With a real Redis, each test file its own: skipped, with one line that says so, where redis-server is missing.
      {
        extends: true,
        test: {
          name: "redis",
          include: ["test/redis/**/*.test.ts"],
          isolate: true,
          globalSetup: ["test/redis/support/say-if-skipped.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // In a page of a browser that comes with `npm ci`.
      {
        extends: true,
        test: {
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
          include: ["examples/test/*.test.ts"],
          globalSetup: ["examples/test/support/setup.ts", "test/browser/setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
