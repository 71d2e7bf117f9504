/**
 * `npm run web-app`: starts `examples/web-app` from a fresh clone. It installs the dependencies and builds the package
 * if they are missing or older than what they are made from. Plain JavaScript, because it must run before `npm ci`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const examples = join(root, "examples");

const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function npm(reason, ...args) {
  console.log(reason);
  // NODE_ENV=production must not leave out tsx and Vite.
  const env = { ...process.env, NODE_ENV: "development", npm_config_audit: "false", npm_config_fund: "false" };
  execFileSync("npm", args, { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" });
}

for (const folder of [root, examples]) {
  // npm writes this file at the end of an installation.
  const installed = changedAt(join(folder, "node_modules/.package-lock.json"));
  if (installed < changedAt(join(folder, "package-lock.json"))) {
    npm(`Installing the dependencies of ${folder} …`, "ci", "--include=dev", "--prefix", folder);
  }
}

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
const newest = Math.max(...sources.map((path) => changedAt(join(root, "src", path))));
if (changedAt(join(root, "dist/node/index.js")) < newest) npm("Building the package …", "run", "--silent", "build");

// The application imports the package as a user has it: from node_modules, without the sources.
const copy = join(examples, "node_modules/notetaker-sdk");
rmSync(copy, { recursive: true, force: true });
for (const name of ["package.json", "dist"]) cpSync(join(root, name), join(copy, name), { recursive: true });

const { register } = await import("tsx/esm/api");
register();
await import("../examples/web-app/dev.ts");
