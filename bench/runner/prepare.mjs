/** Prepares a measurement: installs the dependencies of bench and other versions of Node, and builds the package. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bench = fileURLToPath(new URL("..", import.meta.url));

/** The versions that `--node` installs. They are pinned, so that a measurement can be repeated. */
export const NODE_VERSIONS = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0", 26: "26.10.0" };

const npm = (args, cwd) => execFileSync("npm", [...args, "--no-fund", "--no-audit"], { cwd, stdio: ["ignore", 2, 2] });

/** Whether the dependencies are missing, or older than the lock file. */
function isOutdated() {
  const installed = `${bench}node_modules/.package-lock.json`;
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(`${bench}package-lock.json`).mtimeMs;
}

/** Runs `npm ci` if necessary, and links the package under its own name, so that programs import it like users do. */
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

/**
 * The binary of a major version of Node: that of this process, or one from the registry, installed in `bench/.nodes`.
 */
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
