import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

test("the generated files match the source, and every method has a guide and a test", async () => {
  const check = promisify(execFile)("npm", ["run", "--silent", "generate", "--", "--check"], { cwd: root });
  await expect(check.then(() => "")).resolves.toBe("");
});
