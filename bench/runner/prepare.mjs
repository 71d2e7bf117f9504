/** What has to be there before anything is measured: bench's dependencies, the build, other versions of Node. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bench = fileURLToPath(new URL("..", import.meta.url));

/** The versions that `--node` installs: what is measured is to be measured again with the same. */
export const NODE_VERSIONS = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0", 26: "26.10.0" };

const npm = (args, cwd) => execFileSync("npm", [...args, "--no-fund", "--no-audit"], { cwd, stdio: ["ignore", 2, 2] });

/** Whether what is installed is older than the lock, or nothing is. */
function isOutdated() {
  const installed = `${bench}node_modules/.package-lock.json`;
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(`${bench}package-lock.json`).mtimeMs;
}

/** `npm ci` where it is needed, and the package under its own name, so that it is resolved as users resolve it. */
export function installDependencies() {
  if (isOutdated()) npm(["ci"], bench);
  const link = `${bench}node_modules/notetaker-sdk`;
  rmSync(link, { force: true });
  symlinkSync("../..", link, "junction");
}

export function buildPackage() {
  if (!existsSync(`${root}node_modules`)) npm(["ci"], root);
  execFileSync("npm", ["run", "build", "--silent"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** The binary of a major version of Node: this process's own, or one from the registry in `bench/.nodes`. */
export function nodeBinary(major) {
  if (major === process.versions.node.split(".", 1)[0]) return process.execPath;
  const version = NODE_VERSIONS[major];
  if (version === undefined) {
    throw new Error(`--node ${major}: expected one of ${Object.keys(NODE_VERSIONS).join(", ")}`);
  }
  const folder = `${bench}.nodes/${version}`;
  const binary = `${folder}/node_modules/node/bin/node`;
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    npm(["install", "--no-save", "--prefix", folder, `node@${version}`], folder);
  }
  return binary;
}
