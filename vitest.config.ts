import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { patience } from "./test/support/property-seed.js";

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests and examples import the package as a user does; here those names lead to the source. */
const alias = [
  { find: /^notetaker-sdk$/, replacement: source("index.ts") },
  {
    find: /^notetaker-sdk\/(node|transcript|webhooks|browser|redis|otel|tools|doctor|testing)$/,
    replacement: source("$1/index.ts"),
  },
];

/**
 * Unit tests that take a second or more each: attacks of megabytes, real reconnections, a kill at every step, programs
 * of their own, properties whose examples are costly.
 */
const SLOW_UNIT_TESTS = [
  "test/bench/runner.test.ts",
  "test/doctor/{command,diagnose}.test.ts",
  "test/errors/{content,hostile-answers}.test.ts",
  "test/faults/matrix.test.ts",
  "test/media/download/download-recording.property.test.ts",
  "test/media/upload/early-responses.test.ts",
  "test/model/model.test.ts",
  "test/node/export/{export-meetings,gone-meetings,odd-answers,repeated-meetings}.test.ts",
  "test/node/export/{throttled-export,untrusted-folder}.test.ts",
  "test/redact/redactor.test.ts",
  "test/schemas/long-texts.test.ts",
  "test/testing/adapters/{http-server,many-requests}.test.ts",
  "test/testing/capture/capture-seed.test.ts",
  "test/testing/routes/{contract,round-trip}.test.ts",
  "test/transcript/linear.test.ts",
  "test/transport/{cursor-history,lost-connection,page-walks}.test.ts",
  "test/webhooks/http/hostile-bodies.test.ts",
  "test/webhooks/receive/sql-dedupe.test.ts",
  "test/webhooks/relay-and-subscribe.test.ts",
  "test/webhooks/subscribe/reconnect.test.ts",
];

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: [source("../test/support/property-seed.ts"), source("../test/support/clean-globals.ts")],
    reporters: ["default", source("../test/support/closing-line.ts")],
    projects: [
      // Fast, in memory: what `npm run check` runs.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{package,browser,runtimes,e2e,redis,recipes}/**", ...SLOW_UNIT_TESTS],
          // A machine that is busy with other things is no failure.
          testTimeout: patience(30_000),
          // Modules are loaded once a worker, not once a file; test/support/clean-globals.ts keeps the files apart.
          isolate: false,
        },
      },
      // Like the unit tests, but not for every change.
      {
        extends: true,
        test: { name: "slow", include: SLOW_UNIT_TESTS, testTimeout: patience(60_000) },
      },
      // The types, one test each: `npm run types` checks the same files in less time.
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: fileURLToPath(new URL("./node_modules/typescript/bin/tsc", import.meta.url)),
            include: ["test/**/*.test-d.ts"],
          },
        },
      },
      // Slow: packed tarball, child processes.
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/{package,runtimes,e2e,recipes}/**/*.test.ts"],
          globalSetup: ["test/support/packed.ts", "test/browser/setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      // With a real Redis, each test file its own: skipped, with one line that says so, where redis-server is missing.
      {
        extends: true,
        test: {
          name: "redis",
          include: ["test/redis/**/*.test.ts"],
          globalSetup: ["test/redis/support/say-if-skipped.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // In a page of a browser that comes with `npm ci`.
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
