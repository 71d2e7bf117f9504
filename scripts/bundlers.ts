/**
 * `npx tsx scripts/bundlers.ts [NAME…]`: bundles three programs with each bundler, runs the bundles, and prints their
 * sizes. One program uses the client of the packed package, one an error class, and one all of `notetaker-sdk/browser`,
 * which must not bring zod. It writes their rows of the table in docs/runtimes.md. With `--check`, it fails instead if
 * the table is wrong: if a size differs by more than 5 %, 2 KB of the client. A release of a bundler moves some bytes; a
 * module too many, such as zod's 15 KB, is more.
 * `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Bundle, Bundler, Task } from "./bundlers/bundler.js";
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
  browser: `
    import { readJson, subscribe, uploadFile } from "notetaker-sdk/browser";
    globalThis.page = { readJson, subscribe, uploadFile };
    readJson(new Response('{ "name": "page" }')).then(({ name }) => console.log("ran with " + name));
  `,
};
const PROGRAM_NAMES = ["client", "error", "browser"] as const;
const EXPECTED = { client: "ran with 0", error: "ran with NotFoundError", browser: "ran with page" };
const COLUMNS = {
  client: "`import { Notetaker }`",
  error: "`import { NotFoundError }`",
  browser: "`notetaker-sdk/browser`",
};

/** A name that zod gives to a property of each schema, so that it is in every bundle with zod. */
const ZOD = /\b_zod\b/;

const nameOf = (spec: string) => spec.replace(/(?<=.)@[^/]*$/, "");

/** The paths of all scripts below `folder`. */
const scriptsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => join(folder, name));

/** Bundles a program and runs the bundle. */
async function bundle(bundler: Bundler, task: Task): Promise<Bundle> {
  if ("bundle" in bundler) return bundler.bundle(task);
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
  const text = readFileSync(script, "utf8");
  const runnable = join(folder, `run-${program}.mjs`);
  writeFileSync(runnable, text);
  const printed = await project.run(process.execPath, [runnable]);
  if (printed !== expected) throw new Error(`expected "${expected}", the bundle printed "${printed}"`);
  return { bytes: gzipSync(text, { level: 9 }).length, text };
}

/** The size of a program's bundle. The client shows that zod would be found in the bundle for pages. */
async function measure(bundler: Bundler, task: Task): Promise<string> {
  const { bytes, text } = await bundle(bundler, task);
  const hasZod = ZOD.test(text);
  if (task.program === "browser" && hasZod && !bundler.isCommonJs) throw new Error("notetaker-sdk/browser brings zod");
  if (task.program === "client" && !hasZod) throw new Error("the client is without zod");
  return `${(bytes / 1000).toFixed(1)} KB`;
}

const isCheck = process.argv.includes("--check");
const names = process.argv.slice(2).flatMap((name) => (name === "--check" ? [] : name.toLowerCase()));
const chosen = BUNDLERS.filter(({ name }) => names.length === 0 || names.includes(name.toLowerCase()));
const project = await createProject();
const rows: string[][] = [];
let failed = false;
try {
  for (const bundler of chosen) {
    try {
      const folder = installed(`bundler-${bundler.name.toLowerCase()}`, bundler.packages);
      rmSync(join(folder, "node_modules/notetaker-sdk"), { recursive: true, force: true });
      npm(folder, "install", "--no-save", "--legacy-peer-deps", project.tarball);
      const sizes: string[] = [];
      for (const program of PROGRAM_NAMES) {
        const task = { folder, program, source: PROGRAMS[program], expected: EXPECTED[program], project };
        sizes.push(await measure(bundler, task));
      }
      const version = versionOf(folder, nameOf(bundler.packages[0] as string));
      console.log(
        `${bundler.name} ${version}: ${PROGRAM_NAMES.map((name, index) => `${name} ${sizes[index]}`).join(", ")}`,
      );
      rows.push([bundler.name, version, ...sizes, bundler.note ?? ""]);
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
  const columns = PROGRAM_NAMES.map((name) => COLUMNS[name]);
  const head = ["bundler", "version", ...columns, "note"];
  const tolerances = { version: "any", ...Object.fromEntries(columns.map((column) => [column, 0.05])) } as const;
  const drift = putPart("docs/runtimes.md", "bundlers", table(head, rows), isCheck ? tolerances : undefined);
  for (const line of drift) console.error(line);
  failed = drift.length > 0;
}
process.exitCode = failed ? 1 : 0;
