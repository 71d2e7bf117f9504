/**
 * `npm run generate`: writes the files that are made from the source: api.md, docs/coverage.md, llms.txt, openapi.json,
 * and the tables, sizes, diagrams and examples in the guides. With `--check` it writes nothing; it prints the names of the
 * files that differ, and its exit code is 1.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { cruise } from "dependency-cruiser";
import { apiPage } from "./api/api-page.js";
import { helpText, reportText } from "./api/contact.js";
import { coveragePage, coverageProblems } from "./api/coverage-page.js";
import { llmsPage } from "./api/llms-page.js";
import { publicSurface, root } from "./api/public-surface.js";
import { sizeTable } from "./api/size-table.js";
import { openApiDocument } from "./openapi/document.js";

const isCheck = process.argv.includes("--check");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
const problems: string[] = [];

function put(path: string, text: string): void {
  if (read(path) === text) return;
  if (isCheck) problems.push(`${path} differs: run npm run generate`);
  else writeFileSync(join(root, path), text);
}

/** Replaces the part of a guide between `<!-- NAME -->` and `<!-- end -->`. */
function putPart(path: string, name: string, text: string): void {
  const [before, after] = read(path).split(new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- end -->)`));
  if (before === undefined || after === undefined) throw new Error(`${path} has no part ${name}`);
  put(path, `${before}${text}\n${after}`);
}

/** The folders of `src` above those that everything imports, and what each imports. */
async function diagram(): Promise<string> {
  const { output } = await cruise([join(root, "src")], {
    baseDir: root,
    tsPreCompilationDeps: true,
    includeOnly: { path: "^src/" },
    exclude: { path: "^src/(async|json|links|checks|assumptions|upload-progress|redact|schemas|errors|index)" },
    collapse: "^src/[^/]+",
    outputType: "mermaid",
  });
  return `\`\`\`mermaid\n${String(output).trim()}\n\`\`\``;
}

/** A code block that names a file of `examples` shows this file; with `#NAME`, its lines of the region NAME. */
function withExamples(page: string): string {
  return page.replace(
    /^(```\w+ (examples\/[^\s#]+)(?:#(\S+))?\n)[\s\S]*?^```$/gm,
    (_, begin: string, path: string, region?: string) => `${begin}${linesOf(path, region)}\`\`\``,
  );
}

function linesOf(path: string, region?: string): string {
  const text = read(path);
  const part =
    region === undefined ? text : text.match(new RegExp(`// #region ${region}\\n([\\s\\S]*?) *// #endregion`))?.[1];
  if (part === undefined) throw new Error(`${path} has no region ${region}`);
  const indent = Math.min(...[...part.matchAll(/^ *(?=\S)/gm)].map(([spaces]) => spaces.length));
  return part.replaceAll(/^ *\/\/ #(region|endregion).*\n/gm, "").replaceAll(new RegExp(`^ {${indent}}`, "gm"), "");
}

async function openApi(): Promise<string> {
  const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
  const config = await createConfig({ extends: ["recommended-strict"] });
  const found = await lintFromString({ source: text, absoluteRef: join(root, "openapi.json"), config });
  for (const { ruleId, message, location } of found) {
    problems.push(`openapi.json: ${ruleId}: ${message} (${location.map(({ pointer }) => pointer ?? "").join(", ")})`);
  }
  return text;
}

// First, because the other pages read the endpoints from it.
put("openapi.json", await openApi());
putPart("docs/architecture.md", "drawn: folders", await diagram());
for (const name of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })) {
  if (!/^\w.*\.md$/.test(name)) continue;
  put(`docs/${name}`, withExamples(read(`docs/${name}`)));
}
putPart(
  "README.md",
  "sizes",
  sizeTable((name) => !name.includes(": ") && !/SCOPES|parse/.test(name)),
);
putPart("docs/performance.md", "sizes", sizeTable());
putPart("README.md", "help", helpText);
putPart("SECURITY.md", "report", reportText);
const surface = await publicSurface();
problems.push(...surface.warnings, ...coverageProblems(surface.methods));
put("api.md", apiPage(surface));
put("docs/coverage.md", coveragePage(surface.methods));
// Last, because it lists the pages of docs.
put("llms.txt", llmsPage());

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
