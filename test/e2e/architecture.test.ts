import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

test("the pictures of docs/architecture.md are those that the source draws", () => {
  const check = () =>
    execFileSync("npx", ["tsx", "scripts/architecture.ts", "--check"], { cwd: root, encoding: "utf8" });
  expect(check).not.toThrow();
});
