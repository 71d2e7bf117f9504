/** Writes the API reference into the folder `reference`: a page for each resource, theme and entry point. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
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

export async function writeReference(): Promise<void> {
  const { pages, declarations } = await readModel();
  const folder = join(root, "reference");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const places = placesOf(pages);
  const template = new PageTemplate(places, declarations, pages);
  for (const page of pages) writeFileSync(join(folder, `${page.page}.md`), `${template.page(page)}\n`);
  writeFileSync(join(folder, "index.md"), indexPage(pages));
  // For the links in signatures.
  writeFileSync(join(folder, "names.json"), JSON.stringify(Object.fromEntries(places)));
}
