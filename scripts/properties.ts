/**
 * `npm run properties`: runs the property tests with 10,000 examples of each property instead of 200. `--runs 500` sets
 * another number. Names select test files: `npm run properties -- transcript webhooks`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "10000" } },
  allowPositionals: true,
});

/** These tests have their own long forms. */
const OWN_FORM = /^test\/(model|e2e|support)\//;
const hasProperty = (path: string) => readFileSync(`${root}/${path}`, "utf8").includes('from "fast-check"');
const files = readdirSync(`${root}/test`, { recursive: true, encoding: "utf8" })
  .map((name) => `test/${name.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts") && !OWN_FORM.test(path) && hasProperty(path))
  .filter((path) => positionals.length === 0 || positionals.some((name) => path.includes(name)));
if (files.length === 0) throw new Error(`no property test in a file named like ${positionals.join(", ")}`);

console.log(`${files.length} files, ${values.runs} runs of each property`);
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const projects = ["--project", "unit", "--project", "slow", "--typecheck.enabled=false"];
const { status } = spawnSync(process.execPath, [vitest, "run", ...projects, ...files], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PROPERTY_RUNS: values.runs },
});
process.exitCode = status ?? 1;
