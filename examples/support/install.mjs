/** Installs what the examples need, if it is missing: `npm run many-accounts` works in a fresh clone. */
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";

for (const folder of [".", "examples"]) {
  if (existsSync(`${folder}/node_modules`)) continue;
  execSync(`npm ci --prefix ${folder} --no-audit --no-fund`, { stdio: "inherit" });
}
