import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

test("api.md, docs/coverage.md and llms.txt match the source, and every method has a guide and a test", () => {
  const check = () => execFileSync("npx", ["tsx", "scripts/api.ts", "--check"], { cwd: root, encoding: "utf8" });
  expect(check).not.toThrow();
});

test("api.md has a section for each entry point of the package", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
  const entries = Object.keys(exports).filter((name) => !name.endsWith(".json"));
  const sections = [...readFileSync(join(root, "api.md"), "utf8").matchAll(/^## (notetaker-sdk\S*)$/gm)];
  expect(sections.map(([, name]) => name).sort()).toEqual(
    entries.map((name) => name.replace(".", "notetaker-sdk")).sort(),
  );
});
