/** The shortest run of the soak, with the built package. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const MINUTES = "0.1";

test("the soak finds no lost call or delivery, and no leak", async () => {
  const args = ["--expose-gc", "scripts/soak/run.mjs", "--minutes", MINUTES, "--concurrency", "20"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 110_000 });
  expect(stdout.match(/^holds /gm)).toHaveLength(13);
  expect(stdout).not.toContain("FAILS");
  expect(stdout).toMatch(/[1-9]\d* bots and uploads, 0 lost/);
});
