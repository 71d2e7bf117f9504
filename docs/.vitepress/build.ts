/**
 * `npm run site`: builds the site into docs/.vitepress/dist, after it has installed what it needs and written the
 * reference. It fails if a link is dead, or if an exported name has no documentation.
 *
 *   npm run site -- dev      shows changes at once
 *   npm run site -- preview  shows the built site
 *   npm run site -- check    tests the built site in a browser
 *
 * `SITE_URL` says where it will be published. It is a URL (`https://example.com/notetaker-sdk/`), or only the path below
 * which the site is. With a URL, there is also a sitemap, and pages say how a link to them is shown.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeReference } from "./reference/write.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const run = (command: string, args: string[], cwd = root) =>
  execFileSync(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
const node = (program: string, ...args: string[]) => run(process.execPath, [program, ...args]);

if (!existsSync(join(here, "node_modules"))) run("npm", ["ci", "--no-fund", "--no-audit"], here);

const [first = "", ...others] = process.argv.slice(2);
const isOption = first === "" || first.startsWith("-");
if (first === "check") await import("./check.js");
else {
  if (first !== "preview") await writeReference();
  node(
    join(here, "node_modules/vitepress/bin/vitepress.js"),
    ...(isOption ? ["build", "docs", first, ...others].filter(Boolean) : [first, "docs", ...others]),
  );
}
