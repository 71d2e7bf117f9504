import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

test("docs/architecture.md contains the pictures that are generated from the source", () => {
  const check = () =>
    execFileSync("npx", ["tsx", "scripts/architecture.ts", "--check"], { cwd: root, encoding: "utf8" });
  expect(check).not.toThrow();
});
