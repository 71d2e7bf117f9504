/**
 * Writes THIRD-PARTY-NOTICES.txt: the licence of each package whose code is in the build, as the bundler reports it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

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

/** Writes the notices of the packages in these folders. */
export function writeNotices(folders: readonly string[]): void {
  const notices = folders.map(notice);
  const heading = notices.length > 0 ? "This package contains parts of:" : "This package contains no code of others.";
  writeFileSync(join(root, "THIRD-PARTY-NOTICES.txt"), [`${heading}\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`));
}
