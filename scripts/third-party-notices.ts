/**
 * Writes THIRD-PARTY-NOTICES.txt, the last step of `npm run build`: the licence of each package of which something was
 * bundled, as the bundler's own record of its inputs tells. It also removes that record from `dist`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** The folders of the packages of which at least one byte is in an output. */
function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].sort();
}

function notice(folder: string): string {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const file = readdirSync(path).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(path, file), "utf8").trim()}\n`;
}

const records = readdirSync(dist).filter((name) => /^metafile-.*\.json$/.test(name));
if (records.length === 0) throw new Error("dist has no metafile: is `metafile` set in tsup.config.ts?");
const metafiles = records.map((name) => JSON.parse(readFileSync(join(dist, name), "utf8")) as Metafile);
const notices = bundledPackages(metafiles).map(notice);
const heading = notices.length > 0 ? "This package contains parts of:" : "This package contains no code of others.";
writeFileSync(join(root, "THIRD-PARTY-NOTICES.txt"), [`${heading}\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`));
for (const name of records) rmSync(join(dist, name));
