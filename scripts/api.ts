/**
 * `npm run api`: writes the pages that are generated from the source: api.md, docs/coverage.md and llms.txt. With
 * `--check` it only compares them, and fails if one is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiPage } from "./api/api-page.js";
import { coveragePage, coverageProblems } from "./api/coverage-page.js";
import { llmsPage } from "./api/llms-page.js";
import { publicSurface, root } from "./api/public-surface.js";

const surface = publicSurface();
const pages: Readonly<Record<string, () => string>> = {
  "api.md": () => apiPage(surface),
  "docs/coverage.md": () => coveragePage(surface.methods),
  // Written last, because it lists the pages of docs.
  "llms.txt": llmsPage,
};
const problems = coverageProblems(surface.methods);
for (const [path, page] of Object.entries(pages)) {
  const file = join(root, path);
  const text = page();
  const isUpToDate = existsSync(file) && readFileSync(file, "utf8") === text;
  if (!isUpToDate && process.argv.includes("--check")) problems.push(`${path} is out of date: run npm run api`);
  else if (!isUpToDate) writeFileSync(file, text);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
