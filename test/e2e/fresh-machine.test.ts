/** `npm start` and the check before `npm test`, on machines that lack what a developer's machine has. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../support/run-program.js";

const folder = mkdtempSync(join(tmpdir(), "Grüße an alle "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A copy of the repository, without its history and without the folders of tests that run now. The path of the copy
 * contains a space and a letter outside ASCII.
 */
const clone = join(folder, "mon dépôt");
cpSync(root, clone, {
  recursive: true,
  filter: (path) => !/[\\/](node_modules|\.git|dist|reference|\.(blocks|guide)-\w+)$/.test(path),
});

/** A HOME that is not writable, and a PATH that has Node and a shell but no git. */
const home = join(folder, "home");
mkdirSync(home);
chmodSync(home, 0o555);
const bin = join(folder, "bin");
mkdirSync(bin);
const windows = process.platform === "win32";
if (!windows) {
  for (const program of ["/bin/sh", process.execPath, join(dirname(process.execPath), "npm")]) {
    symlinkSync(realpathSync(program), join(bin, basename(program)));
  }
}
const PATH = windows ? process.env.PATH : bin;
const npm = (script: string, env: Record<string, string> = {}) => {
  const { NOTETAKER_BASE_URL: _, NOTETAKER_TOKEN: __, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync("npm", ["run", script], {
    cwd: clone,
    encoding: "utf8",
    shell: windows,
    env: { ...inherited, HOME: home, PATH, NO_COLOR: "1", ...env },
  });
  return { status, output: `${stdout}${stderr}` };
};

test("npm start and npm test print one line if the devDependencies are missing", () => {
  for (const script of ["start", "test"]) {
    const { status, output } = npm(script, { NODE_ENV: "production" });
    expect(status).toBe(1);
    const lines = output.split("\n").filter((line) => line.includes("devDependencies"));
    expect(lines).toEqual([
      "The devDependencies are not installed (NODE_ENV=production leaves them out). Run: npm ci --include=dev",
    ]);
  }
});

test("npm start runs the tour with a read-only HOME, without git, in a folder whose name has a space and an accent", () => {
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"), "junction");
  for (const env of [{}, { NODE_ENV: "production" }]) {
    const { status, output } = npm("start", env as Record<string, string>);
    expect(output).toContain("0 failed");
    expect(status).toBe(0);
  }
});
