/** Runs the test files that docs/testing.md and docs/emulator.md show, unchanged. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { programOf, runFolder } from "./support/run-folder.js";

const files = codeBlocks().filter(({ at, flag }) => /^docs\/(testing|emulator)\.md/.test(at) && flag === "vitest");

test("the guides to testing show test files that pass", () => {
  const here = runFolder();
  const config = `
    import { defineConfig } from "vitest/config";
    export default defineConfig({ test: { include: ["*.test.*"], root: ${JSON.stringify(here)} } });
  `;
  writeFileSync(join(here, "vitest.config.ts"), config);
  for (const [index, { code }] of files.entries()) writeFileSync(join(here, `guide-${index}.test.ts`), code);
  const args = [programOf("vitest/vitest.mjs"), "run", "--root", here, "--config", join(here, "vitest.config.ts")];
  const ended = spawnSync(process.execPath, args, {
    cwd: here,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  expect(files.length).toBeGreaterThan(4);
  expect(ended.stdout).toMatch(new RegExp(`Test Files +${files.length} passed`));
});
