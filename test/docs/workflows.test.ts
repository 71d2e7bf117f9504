/** The workflows of GitHub name one version of Node, and only commands that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const workflows = readdirSync(join(root, ".github/workflows")).map((name) => read(`.github/workflows/${name}`));
const version = read(".nvmrc").trim();

test("the devcontainer and the command for Stryker have the version of Node of .nvmrc", () => {
  expect(read(".devcontainer/devcontainer.json")).toContain(`typescript-node:${version}"`);
  expect(read("CONTRIBUTING.md").match(/node@\d+/g)).toEqual([`node@${version}`]);
});

test("a job takes its version of Node from .nvmrc, or a comment says why it needs another", () => {
  const named = workflows.flatMap((text) => [...text.matchAll(/^.*\n *node-version(?:-file)?: .*$/gm)]).map(String);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((lines) => !/node-version-file: \.nvmrc|^ *# .*\n *node-version: /.test(lines))).toEqual([]);
});

test("every script and every file that a job names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = workflows.join("\n").replace(/^ *#.*$/gm, "");
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const files = [...text.matchAll(/(?<=[ "'])(?:test|scripts|mutation|\.ci)\/[\w./-]+/g)].map(String);
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
