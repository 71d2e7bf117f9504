/**
 * Builds the site into site/dist: `npm run site`, or `npm run site -- --base /notetaker-sdk/` for a sub-path. If the
 * dependencies of the site are missing, they are installed first. The build fails if a link is dead, or if an exported
 * name has no documentation.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkLinks } from "./check-links.js";
import { content, copyForAssistants, root, writeContent } from "./content.js";
import { mendReference } from "./mend-reference.js";

const { values } = parseArgs({ options: { base: { type: "string", default: "/" } } });
const base = `/${values.base}/`.replace(/\/+/g, "/");
const site = join(root, "site");
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });

if (!existsSync(join(site, "node_modules/vitepress"))) run("npm", ["ci", "--no-fund", "--no-audit"], site);

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  repository: { url: string };
};
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const pages = writeContent(repository);

const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
const plugin = join(site, "node_modules/typedoc-plugin-markdown/dist/index.js");
const options = [
  "--plugin",
  plugin,
  "--out",
  join(content, "reference"),
  "--readme",
  "none",
  "--sanitizeComments",
  "true",
];
// One page for each entry point: a page for each name would take five times as long to build, and the search finds
// sections.
const layout = ["--outputFileStrategy", "modules", "--entryFileName", "index", "--hidePageHeader", "true"];
run(process.execPath, [typedoc, ...options, ...layout, "--hideBreadcrumbs", "true", "--useCodeBlocks", "true"], root);

mendReference(join(content, "reference"));

const { version } = manifest;
writeFileSync(join(content, "site.json"), JSON.stringify({ base, repository, version, ...pages }, null, 2));
run(process.execPath, [join(site, "node_modules/vitepress/bin/vitepress.js"), "build", "."], site);

copyForAssistants(join(site, "dist"));

const dead = checkLinks(join(site, "dist"), base);
for (const link of dead) console.error(link);
console.log(`${dead.length} dead links`);
process.exitCode = dead.length === 0 ? 0 : 1;
