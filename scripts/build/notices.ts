/** Writes THIRD-PARTY-NOTICES.txt: the licence of each package whose code is in the build, as esbuild reports it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

function bundledFolders({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    return folder === undefined || bytesInOutput === 0 ? [] : [folder, ...foldersInside(path)];
  });
}

/** A package may itself contain others: its build names them where their code begins. */
function foldersInside(path: string): string[] {
  const regions = readFileSync(path, "utf8").matchAll(/^\/\/#region .*\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@/gm);
  return [...regions].map(([, name = ""]) => `node_modules/${name.replace("+", "/")}`);
}

export function writeNotices(builds: readonly Metafile[]): void {
  const folders = new Set(builds.flatMap(bundledFolders));
  const notices = [...folders].sort().map(notice);
  writeFileSync(
    "THIRD-PARTY-NOTICES.txt",
    ["This package contains parts of:\n", ...notices].join(`\n${"-".repeat(80)}\n\n`),
  );
}
