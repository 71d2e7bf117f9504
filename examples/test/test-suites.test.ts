/** Test suites for a user's own code, run by each test runner with the packed package. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programOf, recipeFolder } from "./support/run-folder.js";

const tsx = import.meta.resolve("tsx");

function run(cwd: string, args: readonly string[]): string {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    env: { ...env, NO_COLOR: "1", CI: "1" },
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

test("vitest runs a suite against the emulator", () => {
  const folder = recipeFolder("test-suites");
  writeFileSync(join(folder, "vitest.config.js"), "export default {};");
  const output = run(folder, [programOf("vitest/vitest.mjs"), "run", "--root", folder, "--exclude", "commonjs"]);
  expect(output).toMatch(/Tests +2 passed \(2\)/);
});

test("node:test runs a suite against the emulator", () => {
  const folder = recipeFolder("test-suites");
  const output = run(folder, ["--import", tsx, "--test", "weekly-report.node.ts"]);
  expect(output).toMatch(/pass 1\n/);
  expect(output).toMatch(/fail 0\n/);
});

test("jest runs a suite of CommonJS files with fake timers against the emulator", () => {
  const folder = join(recipeFolder("test-suites"), "commonjs");
  // The suite polls for 45 minutes of mocked time, which may take a busy machine longer than jest's 5 s.
  const options = ["--rootDir", folder, "--no-watchman", "-i", "--testTimeout=120000"];
  const output = run(folder, [programOf("jest/bin/jest.js"), ...options]);
  expect(output).toMatch(/Tests: +3 passed, 3 total/);
});
