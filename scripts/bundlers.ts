/**
 * `npx tsx scripts/bundlers.ts [NAME…]`: bundles two programs with each bundler, runs the bundles, and prints their
 * sizes. One program uses the client of the packed package, the other one error class. It writes their rows of the
 * table in docs/runtimes.md. With `--check`, it fails instead if the table is wrong: if a size differs by more than 5 %,
 * 2 KB of the client. A release of a bundler moves some bytes; a module too many, such as zod's 15 KB, is more.
 * `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Bundler, Task } from "./bundlers/bundler.js";
import { BUNDLERS } from "./bundlers/bundlers.js";
import { installed, npm, versionOf } from "./runtimes/install.js";
import { createProject } from "./runtimes/project.js";
import { putPart, putRows, table } from "./write-table.js";

const PROGRAMS = {
  client: `
    import { Notetaker } from "notetaker-sdk";
    const page = { data: [], has_more: false, next_cursor: null };
    const fetch = async () => new Response(JSON.stringify(page));
    const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: "token", fetch });
    notetaker.rooms.list().then(({ data }) => console.log("ran with " + data.length));
  `,
  error: `
    import { NotFoundError } from "notetaker-sdk";
    console.log("ran with " + new NotFoundError({ message: "gone" }).name);
  `,
};
const EXPECTED = { client: "ran with 0", error: "ran with NotFoundError" };

const nameOf = (spec: string) => spec.replace(/(?<=.)@[^/]*$/, "");

/** The paths of all scripts below `folder`. */
const scriptsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => join(folder, name));

/** Bundles a program, runs the bundle, and returns its size, gzipped, in bytes. */
async function measure(bundler: Bundler, task: Task): Promise<number> {
  if ("measure" in bundler) return bundler.measure(task);
  const { folder, program, source, expected, project } = task;
  const out = join(folder, `out-${program}`);
  rmSync(out, { recursive: true, force: true });
  const entry = join(folder, `${program}.js`);
  writeFileSync(entry, source);
  writeFileSync(join(folder, "build.mjs"), bundler.program(entry, out));
  await project.run(process.execPath, ["build.mjs"], { NODE_ENV: "production" }, folder);
  const scripts = scriptsIn(out);
  const [script] = scripts;
  if (script === undefined || scripts.length > 1) throw new Error(`expected one script, found ${scripts.join(", ")}`);
  const bundle = readFileSync(script);
  const runnable = join(folder, `run-${program}.mjs`);
  writeFileSync(runnable, bundle);
  const printed = await project.run(process.execPath, [runnable]);
  if (printed !== expected) throw new Error(`expected "${expected}", the bundle printed "${printed}"`);
  return gzipSync(bundle, { level: 9 }).length;
}

const isCheck = process.argv.includes("--check");
const names = process.argv.slice(2).flatMap((name) => (name === "--check" ? [] : name.toLowerCase()));
const chosen = BUNDLERS.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase()));
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
const project = await createProject();
const rows: string[][] = [];
let failed = false;
try {
  for (const bundler of chosen) {
    try {
      const folder = installed(`bundler-${bundler.name.toLowerCase()}`, bundler.packages);
      rmSync(join(folder, "node_modules/notetaker-sdk"), { recursive: true, force: true });
      npm(folder, "install", "--no-save", "--legacy-peer-deps", project.tarball);
      const sizeWith = (program: keyof typeof PROGRAMS) =>
        measure(bundler, { folder, program, source: PROGRAMS[program], expected: EXPECTED[program], project });
      const client = await sizeWith("client");
      const error = await sizeWith("error");
      const version = versionOf(folder, nameOf(bundler.packages[0] as string));
      console.log(`${bundler.name} ${version}: the client ${kilobytes(client)}, one error ${kilobytes(error)}`);
      rows.push([bundler.name, version, kilobytes(client), kilobytes(error), bundler.note ?? ""]);
    } catch (error) {
      failed = true;
      console.log(`${bundler.name}: ${error instanceof Error ? error.message.slice(0, 3_000) : error}`);
    }
  }
} finally {
  project.remove();
}
if (names.length > 0) {
  if (!isCheck) putRows("docs/runtimes.md", rows);
} else if (!failed) {
  const head = ["bundler", "version", "`import { Notetaker }`", "`import { NotFoundError }`", "note"];
  const tolerances = { version: "any", [head[2] as string]: 0.05, [head[3] as string]: 0.05 } as const;
  const drift = putPart("docs/runtimes.md", "bundlers", table(head, rows), isCheck ? tolerances : undefined);
  for (const line of drift) console.error(line);
  failed = drift.length > 0;
}
process.exitCode = failed ? 1 : 0;
