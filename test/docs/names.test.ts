/** What texts and workflows name exists: commands, scripts, tests and files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../command/support.js";
import { root } from "../support/run-program.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.(md|ts|yml)$/.test(name) && !/node_modules|\bdist\b/.test(name));

/** Without comments. */
const workflows = filesIn(".github").map((name) => read(name).replace(/^ *#.*$/gm, ""));
/** They name the tests of each promise, and what a contributor or a job runs. */
const promises = [read("SECURITY.md"), read("docs/reliability.md"), read("CONTRIBUTING.md"), ...workflows].join("\n");

test("every script, test and file that a promise or a job names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const commands = [...promises.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(12);
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  // As in vitest, a path is the beginning of the path of a file.
  const files = ["test", "scripts", "mutation"].flatMap(filesIn);
  const paths = [...promises.matchAll(/(?<=[ "'`])(?:test|scripts|mutation|\.ci)\/[\w./-]+/g)].map(String);
  expect(paths.length).toBeGreaterThan(24);
  expect(paths.filter((path) => !existsSync(join(root, path)) && !files.some((file) => file.startsWith(path)))).toEqual(
    [],
  );
});

test("every text that names a command of the package names one that exists", async () => {
  const names = ["README.md", "CHANGELOG.md", "openapi.json", ...["docs", "src", "examples"].flatMap(filesIn)];
  const named = [...names.map(read), ...workflows].flatMap((text) =>
    [...text.matchAll(/npx[^\n`]*?notetaker-sdk\s+(?!-p )([\w-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  const { stdout } = await runCommand([]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(named.filter((name) => !commands.includes(name))).toEqual([]);
});

test("the changelog begins with the version of the package, and has every version once", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const sections = [...read("CHANGELOG.md").matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(sections[0]).toBe(version);
  expect(sections).toEqual([...new Set(sections)]);
});

test("the devcontainer, the command for Stryker, and each job without a reason have the version of Node of .nvmrc", () => {
  const version = read(".nvmrc").trim();
  expect(read(".devcontainer/devcontainer.json")).toContain(`typescript-node:${version}"`);
  expect(read("CONTRIBUTING.md").match(/node@\d+/g)).toEqual([`node@${version}`]);
  const jobs = filesIn(".github").flatMap((name) => [...read(name).matchAll(/^.*\n *node-version(?:-file)?: .*$/gm)]);
  expect(jobs.length).toBeGreaterThan(8);
  // A comment says why a job needs another version.
  expect(jobs.map(String).filter((lines) => !/-file: \.nvmrc|^ *# .*\n *node-version: /.test(lines))).toEqual([]);
});
