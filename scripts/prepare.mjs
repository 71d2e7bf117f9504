/**
 * Makes what other commands need, unless it is there: `node scripts/prepare.mjs install` installs the dependencies of the
 * repository and of the examples, `node scripts/prepare.mjs build` builds the package if a source is newer.
 * Plain JavaScript, because it must run before `npm ci`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newestIn = (folder) =>
  Math.max(...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => changedAt(join(folder, path))));

function npm(reason, ...args) {
  console.log(reason);
  // NODE_ENV=production must not leave out tsx and Vite.
  const env = { ...process.env, NODE_ENV: "development", npm_config_audit: "false", npm_config_fund: "false" };
  execFileSync("npm", args, { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" });
}

/** Whether each package of the lock is there in its version, except those for other systems. */
function isInstalled(folder) {
  const packagesOf = (path) =>
    existsSync(join(folder, path)) ? JSON.parse(readFileSync(join(folder, path), "utf8")).packages : {};
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(packagesOf("package-lock.json")).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

export function install() {
  for (const folder of [root, join(root, "examples")]) {
    if (isInstalled(folder)) continue;
    npm(`Installing the dependencies of ${folder} …`, "ci", "--include=dev", "--prefix", folder);
  }
}

/** What the build writes last in each of its parts, and what it reads. */
const OUTPUTS = ["dist/node/index.js", "dist/node/mcp-protocol.js", "dist/cjs/index.cjs", "dist/types/index.d.ts"];
const INPUTS = ["tsup.config.ts", "tsconfig.json", "tsconfig.build.json", "node_modules/.package-lock.json"];

export function build() {
  const built = Math.min(...OUTPUTS.map((path) => changedAt(join(root, path))));
  const sources = ["src", "scripts/build"].map((folder) => newestIn(join(root, folder)));
  if (built <= Math.max(...sources, ...INPUTS.map((path) => changedAt(join(root, path))))) {
    npm("Building the package …", "run", "--silent", "build");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "build") build();
  else install();
}
