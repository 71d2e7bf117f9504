/**
 * Turbopack runs only inside `next build`. So a page imports the program and is exported as files. The size of the
 * program is the difference to the same page without it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { unpackChromium } from "../../test/browser/setup.js";
import type { Project } from "../runtimes/project.js";
import type { Bundler } from "./bundler.js";

/** The version of Next.js is that of the examples. */
const manifest = new URL("../../examples/package.json", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as { dependencies: Record<string, string> };

/** Builds a page that begins with `imports`, and returns the folder of the exported site. */
async function exportedSite(folder: string, name: string, files: Record<string, string>, project: Project) {
  const app = join(folder, name);
  rmSync(app, { recursive: true, force: true });
  mkdirSync(join(app, "pages"), { recursive: true });
  const config = { output: "export", turbopack: { root: folder } };
  const common = {
    "package.json": JSON.stringify({ private: true, type: "module" }),
    "next.config.mjs": `export default ${JSON.stringify(config)};`,
  };
  for (const [path, text] of Object.entries({ ...common, ...files })) writeFileSync(join(app, path), text);
  const next = join(folder, "node_modules/next/dist/bin/next");
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await project.run(process.execPath, [next, "build", "--turbopack"], env, app);
  return join(app, "out");
}

const scriptsOf = (site: string): string[] =>
  readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => readFileSync(join(site, path), "utf8"));

const sizeOf = (scripts: readonly string[]): number =>
  scripts.map((script) => gzipSync(script, { level: 9 }).length).reduce((sum, size) => sum + size, 0);

/** The first line that the site prints to the console of a browser. */
async function printedBy(site: string, project: Project): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = join(site, pathname === "/" ? "index.html" : decodeURIComponent(pathname));
    const isThere = existsSync(file) && statSync(file).isFile();
    response.writeHead(isThere ? 200 : 404, { "content-type": file.endsWith(".js") ? "text/javascript" : "text/html" });
    response.end(isThere ? readFileSync(file) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch(await unpackChromium(project.folder));
  try {
    const page = await browser.newPage();
    const printed = page.waitForEvent("console", { predicate: (message) => message.type() === "log" });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return (await printed).text();
  } finally {
    await browser.close();
    server.close();
  }
}

export const turbopack: Bundler = {
  name: "Turbopack",
  packages: [`next@${dependencies.next}`, "react", "react-dom"],
  note: "version of Next.js; what the program adds to a page",
  async bundle({ folder, program, source, expected, project }) {
    const page = "export default function Page() { return null; }";
    const empty = await exportedSite(folder, "app-empty", { "pages/index.js": page }, project);
    const files = { "program.js": source, "pages/index.js": `import "../program.js";\n${page}` };
    const site = await exportedSite(folder, `app-${program}`, files, project);
    const printed = await printedBy(site, project);
    if (printed !== expected) throw new Error(`expected "${expected}", the page printed "${printed}"`);
    const scripts = scriptsOf(site);
    return { bytes: sizeOf(scripts) - sizeOf(scriptsOf(empty)), text: scripts.join("\n") };
  },
};
