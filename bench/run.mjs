/**
 * `npm run bench`: measures the package beside other clients, prints a table for each case, and writes the tables into
 * docs/performance.md, or compares them with the tables there (`--check`). README.md explains it.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ratioDrift } from "../scripts/drift.js";
import { build } from "../scripts/prepare.mjs";
import { putPart } from "../scripts/write-table.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    mebibytes: { type: "string", default: "128" },
    "no-write": { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});

const bench = fileURLToPath(new URL(".", import.meta.url));
const npm = (args, cwd) =>
  execFileSync("npm", args, { cwd, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });

/** Installs the peers if the lock is newer, and links the package under its name, so that programs import it like users. */
function prepare() {
  const installed = `${bench}node_modules/.package-lock.json`;
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(`${bench}package-lock.json`).mtimeMs) {
    npm(["ci", "--no-fund", "--no-audit"], bench);
  }
  const link = `${bench}node_modules/notetaker-sdk`;
  rmSync(link, { force: true });
  symlinkSync("../..", link, "junction");
  build();
}

/** The last line that a program prints is its measurement. */
async function measure({ program, args }) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: bench });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** Each round runs every program once, in another order, so that other work on the machine affects all alike. */
async function measureRounds(rows) {
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const measured = {};
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[(index + round) % rows.length];
      measured[row.name] = await measure(row);
    }
    rounds.push(measured);
  }
  return rounds;
}

const median = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

const format = (value, digits) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

const sortedNumbers = (numbers) => numbers.filter(Number.isFinite).sort((a, b) => a - b);

/** The median of what was measured: times and memory. */
const middleOf = (numbers, digits) => format(median(sortedNumbers(numbers)), digits);

/** The median of ratios, and the lowest and the highest in brackets. */
function spreadOf(ratios) {
  const sorted = sortedNumbers(ratios);
  if (sorted.length === 0) return "";
  const [low, middle, high] = [sorted[0], median(sorted), sorted.at(-1)].map((ratio) => format(ratio, 2));
  return low === high ? middle : `${middle} (${low}–${high})`;
}

/** The version of the package that a row names. */
function titleOf(name) {
  const { dependencies } = JSON.parse(readFileSync(`${bench}package.json`, "utf8"));
  const version = dependencies[name.split(",", 1)[0]];
  return version === undefined ? name : name.replace(/^[^,]+/, (of) => `${of} ${version}`);
}

/** The head says what the baseline needs; each other row has its ratios to the baseline. */
function table({ columns, baseline }, rows, rounds) {
  const names = Object.entries(columns);
  const head = names.map(([column, { title, unit, digits = 0 }]) => {
    const middle = middleOf(
      rounds.map((round) => round[baseline][column]),
      digits,
    );
    return `${title} (${baseline}: ${middle} ${unit})`;
  });
  const cells = ({ name, does }) => [
    titleOf(name),
    ...names.map(([column]) => spreadOf(rounds.map((round) => round[name][column] / round[baseline][column]))),
    does,
  ];
  const lines = rows.filter(({ name }) => name !== baseline).map(cells);
  const hasRemarks = lines.some((line) => line.at(-1) !== "");
  return [["", ...head, ""], ["---", ...head.map(() => "---:"), "---"], ...lines]
    .map((line) => `| ${(hasRemarks ? line : line.slice(0, -1)).join(" | ")} |`)
    .join("\n");
}

prepare();
const { CASES } = await import("./cases.mjs");
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
const drift = [];
const day = new Date().toISOString().slice(0, 10);
for (const name of positionals.length > 0 ? positionals : Object.keys(CASES)) {
  const description = CASES[name];
  if (description === undefined) throw new Error(`unknown case ${name}; expected ${Object.keys(CASES).join(", ")}`);
  const { rows, stop } = await description.start(Number(values.mebibytes));
  try {
    const text = table(description, rows, await measureRounds(rows));
    const where = `Node ${process.versions.node}, ${machine}, ${day}`;
    console.log(`\n## ${name}\n\n${text}\n\n${where}`);
    const part = ["docs/performance.md", `measured: ${name}`, `\n${text}\n\n${where}\n`];
    if (values.check) drift.push(...putPart(...part, ratioDrift).map((line) => `${name}: ${line}`));
    else if (!values["no-write"]) putPart(...part);
  } finally {
    stop?.();
  }
}
for (const line of drift) console.error(line);
process.exitCode = drift.length === 0 ? 0 : 1;
