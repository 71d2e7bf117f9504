/** SECURITY.md and docs/reliability.md name the tests of each promise. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every test and every script that a promise names exists", () => {
  const text = read("SECURITY.md") + read("docs/reliability.md");
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).map((name) =>
    `test/${name}`.replaceAll("\\", "/"),
  );
  // As in vitest, a path is the beginning of the path of a file.
  const paths = [...text.matchAll(/\btest\/[\w./-]+/g)].map(String);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(4);
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
