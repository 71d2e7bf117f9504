import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the changelog begins with the version of the package, and has every version once", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const sections = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(sections[0]).toBe(version);
  expect(sections).toEqual([...new Set(sections)]);
});
