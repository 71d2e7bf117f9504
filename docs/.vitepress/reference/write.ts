/** Writes the API reference into the folder `reference`: a page for each resource, theme and entry point. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/api/public-surface.js";
import { placesOf } from "./links.js";
import { type PageOfReference, readModel } from "./model.js";
import { PageTemplate } from "./page.js";

const line = ({ page, title, sentence }: PageOfReference) => `- [${title}](${page}.md): ${sentence}`;

const indexPage = (pages: readonly PageOfReference[]) => `# API reference

Every public name with its documentation. For a first read, take the [guides](../README.md).

## notetaker-sdk

${pages
  .filter(({ title }) => !title.includes("/"))
  .map(line)
  .join("\n")}

## Other entry points

${pages
  .filter(({ title }) => title.includes("/"))
  .map(line)
  .join("\n")}
`;

/** How many columns of code fit beside the outline. */
const COLUMNS = 80;
const EXAMPLE = /(?<=^```ts(?: run)?\n)[\s\S]*?(?=^```$)/gm;

/** The pages, with their long examples wrapped. A part of a program that does not parse alone stays as it is. */
function wrapExamples(pages: readonly string[]): string[] {
  const isLong = (code: string) => code.split("\n").some((text) => text.length > COLUMNS);
  const long = [...new Set(pages.flatMap((page) => page.match(EXAMPLE) ?? []).filter(isLong))];
  const folder = mkdtempSync(join(tmpdir(), "notetaker-examples-"));
  for (const [index, code] of long.entries()) writeFileSync(join(folder, `${index}.ts`), code);
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const options = ["--line-width=80", "--indent-style=space", "--vcs-enabled=false", "--log-level=none"];
  try {
    execFileSync(process.execPath, [biome, "format", "--write", ...options, "."], { cwd: folder, stdio: "ignore" });
  } catch {
    // It fails after it has formatted the others.
  }
  const formatted = new Map(long.map((code, index) => [code, readFileSync(join(folder, `${index}.ts`), "utf8")]));
  rmSync(folder, { recursive: true });
  return pages.map((page) => page.replace(EXAMPLE, (code) => formatted.get(code) ?? code));
}

export async function writeReference(): Promise<void> {
  const { pages, declarations } = await readModel();
  const folder = join(root, "reference");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const places = placesOf(pages);
  const template = new PageTemplate(places, declarations, pages);
  const texts = wrapExamples(pages.map((page) => template.page(page)));
  for (const [index, { page }] of pages.entries()) writeFileSync(join(folder, `${page}.md`), `${texts[index]}\n`);
  writeFileSync(join(folder, "index.md"), indexPage(pages));
  // For the links in signatures.
  writeFileSync(join(folder, "names.json"), JSON.stringify(Object.fromEntries(places)));
}
