/**
 * `npx tsx scripts/bundlers.ts [NAME…]`: bundles three programs with each bundler, runs the bundles, and prints their
 * sizes. One program uses the client of the packed package, one an error class, and one all of `notetaker-sdk/browser`,
 * which must not bring zod. Without a name, it writes the table in docs/runtimes.md. With `--check`, it fails instead if
 * the table is wrong: if a size differs by more than 5 %, 2 KB of the client. A release of a bundler moves some bytes; a
 * module too many, such as zod's 15 KB, is more.
 * `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUNDLERS, type Bundler } from "./bundlers/programs.js";
import { measureInto } from "./measure-into.js";
import { installedWith, versionOf } from "./runtimes/install.js";
import type { Project } from "./runtimes/project.js";

interface Program {
  column: string;
  source: string;
  prints: string;
}

const PROGRAMS: Readonly<Record<"client" | "error" | "browser", Program>> = {
  client: {
    column: "`import { Notetaker }`",
    source: `
      import { Notetaker } from "notetaker-sdk";
      const page = { data: [], has_more: false, next_cursor: null };
      const fetch = async () => new Response(JSON.stringify(page));
      const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: "token", fetch });
      notetaker.rooms.list().then(({ data }) => console.log("ran with " + data.length));
    `,
    prints: "ran with 0",
  },
  error: {
    column: "`import { NotFoundError }`",
    source: `
      import { NotFoundError } from "notetaker-sdk";
      console.log("ran with " + new NotFoundError({ message: "gone" }).name);
    `,
    prints: "ran with NotFoundError",
  },
  browser: {
    column: "`notetaker-sdk/browser`",
    source: `
      import { readJson, subscribe, uploadFile } from "notetaker-sdk/browser";
      globalThis.page = { readJson, subscribe, uploadFile };
      readJson(new Response('{ "name": "page" }')).then(({ name }) => console.log("ran with " + name));
    `,
    prints: "ran with page",
  },
};

/** A name that zod gives to a property of each schema, so that it is in every bundle with zod. */
const ZOD = /\b_zod\b/;

/** Bundles a program and runs the bundle. Returns the text of the bundle. */
async function bundle(bundler: Bundler, name: string, { source, prints }: Program, folder: string, project: Project) {
  const out = join(folder, `out-${name}`);
  rmSync(out, { recursive: true, force: true });
  const entry = join(folder, `${name}.js`);
  writeFileSync(entry, source);
  writeFileSync(join(folder, "build.mjs"), bundler.program(entry, out));
  await project.run(process.execPath, ["build.mjs"], { NODE_ENV: "production" }, folder);
  const scripts = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((path) => /\.m?js$/.test(path));
  const [script] = scripts;
  if (script === undefined || scripts.length > 1) throw new Error(`expected one script, found ${scripts.join(", ")}`);
  const text = readFileSync(join(out, script), "utf8");
  const runnable = join(folder, `run-${name}.mjs`);
  writeFileSync(runnable, text);
  const printed = await project.run(process.execPath, [runnable]);
  if (printed !== prints) throw new Error(`expected "${prints}", the bundle printed "${printed}"`);
  return text;
}

/** The sizes of the programs' bundles. The client shows that zod would be found in the bundle for pages. */
async function measure(bundler: Bundler, project: Project): Promise<string[]> {
  const folder = installedWith(project.tarball, `bundler-${bundler.name.toLowerCase()}`, bundler.packages);
  const sizes: string[] = [];
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const text = await bundle(bundler, name, program, folder, project);
    const hasZod = ZOD.test(text);
    if (name === "browser" && hasZod && !bundler.isCommonJs) throw new Error("notetaker-sdk/browser brings zod");
    if (name === "client" && !hasZod) throw new Error("the client is without zod");
    sizes.push(`${(gzipSync(text, { level: 9 }).length / 1000).toFixed(1)} KB`);
  }
  const version = versionOf(folder, bundler.packages[0]?.replace(/(?<=.)@[^/]*$/, "") ?? "");
  return [bundler.name, version, ...sizes, bundler.note ?? ""];
}

const columns = Object.values(PROGRAMS).map(({ column }) => column);
await measureInto({
  part: "bundlers",
  head: ["bundler", "version", ...columns, "note"],
  tolerances: { version: "any", ...Object.fromEntries(columns.map((column) => [column, 0.05])) },
  items: BUNDLERS,
  measure,
});
