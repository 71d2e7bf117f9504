/**
 * Checks the built site in a browser: `npm run site -- check`, after `npm run site`, with the same `SITE_URL`. It runs
 * axe-core on one page of each kind, in light and dark mode, on screens of three widths. No page may be wider than the
 * screen. Menu and search have to work with the keyboard alone. `--screenshots FOLDER` keeps a picture of each page,
 * `--queries` prints the first hits of the search.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installedBrowser, unpackChromium } from "../../test/browser/setup.js";
import { checkPlayground } from "./check-playground.js";
import { checkSearch } from "./check-search.js";
import { checkTheme } from "./check-theme.js";
import { hydrated } from "./hydrated.js";

const { values } = parseArgs({
  options: { screenshots: { type: "string" }, queries: { type: "boolean" } },
  allowPositionals: true,
});
const base = new URL(process.env.SITE_URL ?? "/", "http://localhost").pathname.replace(/\/?$/, "/");
const dist = fileURLToPath(new URL("dist", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** One page of each kind. */
const PAGES = {
  home: "",
  start: "start.html",
  guides: "docs/",
  guide: "docs/webhooks.html",
  recipe: "docs/recipes/cloudflare-worker.html",
  table: "docs/coverage.html",
  errors: "docs/errors.html",
  runtimes: "docs/runtimes.html",
  diagram: "docs/architecture.html",
  playground: "docs/try-it.html",
  changes: "CHANGELOG.html",
  themes: "reference/",
  reference: "reference/meetings.html",
  "entry-point": "reference/node.html",
  signatures: "api.html",
  missing: "there/is/no/such/page.html",
} as const;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Serves the site below the base path, like a host of static files. */
async function serve(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://127.0.0.1").pathname);
    const name = path.startsWith(base) ? path.slice(base.length) : "missing";
    const candidate = join(dist, name === "" || name.endsWith("/") ? `${name}index.html` : name);
    const file = existsSync(candidate) && statSync(candidate).isFile() ? candidate : undefined;
    const found = file ?? join(dist, "404.html");
    response.writeHead(file === undefined ? 404 : 200, { "content-type": TYPES[extname(found)] ?? "text/plain" });
    response.end(readFileSync(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}` };
}

const problems: string[] = await checkSearch(dist, base, values.queries);
const expectThat = (holds: boolean, problem: string) => {
  if (!holds) problems.push(problem);
};

/** The problems that axe-core finds, each with the first element that has it. */
async function violations(page: Page): Promise<string[]> {
  await hydrated(page);
  await page.waitForTimeout(200);
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(
      ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary}`,
    );
  });
}

const WIDTHS = { wide: 1280, middle: 768, narrow: 390 } as const;

async function look(browser: Browser, origin: string): Promise<void> {
  for (const [size, width] of Object.entries(WIDTHS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const options: BrowserContextOptions = { viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" };
      const context = await browser.newContext(options);
      const page = await context.newPage();
      for (const [kind, path] of Object.entries(PAGES)) {
        const name = `${kind}-${size}-${colorScheme}`;
        const onError = (error: Error) => problems.push(`${name}: ${error.message}`);
        page.on("pageerror", onError);
        await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
        for (const violation of await violations(page)) problems.push(`${name}: ${violation}`);
        const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
        expectThat(scrollWidth <= width, `${name} is ${scrollWidth} pixels wide`);
        if (values.screenshots !== undefined) {
          mkdirSync(values.screenshots, { recursive: true });
          await page.screenshot({ path: join(values.screenshots, `${name}.png`) });
        }
        page.off("pageerror", onError);
      }
      await context.close();
      console.log(`${Object.keys(PAGES).length} pages, ${size}, ${colorScheme}`);
    }
  }
}

const focused = (page: Page) =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent?.trim().slice(0, 40)}`);

/** Presses Tab until the focus is on something that `isIt` accepts. */
async function tabTo(page: Page, isIt: string, limit = 60): Promise<boolean> {
  for (let pressed = 0; pressed < limit; pressed += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, isIt)) return true;
  }
  return false;
}

async function walkByKeyboard(browser: Browser, origin: string): Promise<void> {
  const wide = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  await wide.goto(origin, { waitUntil: "networkidle" });
  await hydrated(wide);
  await wide.keyboard.press("Tab");
  expectThat((await focused(wide)).includes("Skip to content"), `the first Tab is on ${await focused(wide)}`);

  await wide.keyboard.press("/");
  await wide.waitForSelector(".VPLocalSearchBox input:focus", { timeout: 20_000 });
  await wide.keyboard.type("waitForTranscript");
  await wide.waitForSelector(".VPLocalSearchBox .result", { timeout: 20_000 }).catch(() => undefined);
  await wide.waitForFunction(() => document.querySelector("[role=status]")?.textContent).catch(() => undefined);
  const count = await wide.textContent(".VPLocalSearchBox [role=status]");
  expectThat(/^\d+ results?$/.test(count ?? ""), `the search says "${count}" instead of its number of results`);
  await wide.keyboard.press("ArrowDown");
  const active = await wide.getAttribute(".VPLocalSearchBox input", "aria-activedescendant");
  expectThat(await wide.isVisible(`#${active}[role=option][aria-selected=true]`), "the arrow key selects no result");
  await wide.keyboard.press("ArrowUp");
  for (const violation of await violations(wide)) problems.push(`search: ${violation}`);
  if (values.screenshots !== undefined) await wide.screenshot({ path: join(values.screenshots, "search.png") });
  await wide.keyboard.press("Enter");
  await wide.waitForURL(/#/, { timeout: 10_000 }).catch(() => problems.push("Enter in the search opens no result"));
  console.log(`search: Enter leads to ${new URL(wide.url()).pathname}${new URL(wide.url()).hash}`);
  await wide.close();

  const narrow = await browser.newPage({ viewport: { width: 360, height: 800 }, reducedMotion: "reduce" });
  await narrow.goto(`${origin}docs/bots.html`, { waitUntil: "networkidle" });
  await hydrated(narrow);
  expectThat(await tabTo(narrow, "button.VPNavBarHamburger"), "Tab never reaches the menu");
  await narrow.keyboard.press("Enter");
  await narrow.waitForSelector("#VPNavScreen", { timeout: 5_000 }).catch(() => problems.push("Enter opens no menu"));
  for (const violation of await violations(narrow)) problems.push(`menu: ${violation}`);
  if (values.screenshots !== undefined) await narrow.screenshot({ path: join(values.screenshots, "menu.png") });
  await narrow.keyboard.press("Escape");
  await narrow.goto(`${origin}docs/bots.html`, { waitUntil: "networkidle" });
  await hydrated(narrow);
  expectThat(await tabTo(narrow, ".VPLocalNav button.menu"), "Tab never reaches the list of guides");
  await narrow.keyboard.press("Enter");
  await narrow.waitForSelector(".VPSidebar.open", { timeout: 5_000 }).catch(() => problems.push("no list of guides"));
  if (values.screenshots !== undefined) await narrow.screenshot({ path: join(values.screenshots, "sidebar.png") });
  for (const violation of await violations(narrow)) problems.push(`list of guides: ${violation}`);
  await narrow.close();
}

/** "Copy page" copies the page's Markdown, or shows it if the browser denies access to the clipboard. */
async function copyPages(browser: Browser, origin: string): Promise<void> {
  for (const [path, file] of Object.entries({
    "start.html": "README.md",
    "docs/webhooks.html": "docs/webhooks.md",
    "reference/meetings.html": "reference/meetings.md",
  })) {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
    await hydrated(page);
    await page.getByRole("button", { name: "Copy page" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor({ timeout: 10_000 });
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expectThat(copied === readFileSync(join(dist, file), "utf8"), `${path} copies ${copied.slice(0, 80)}`);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("denied"));
    });
    await page.getByRole("button", { name: "Copy page" }).click();
    await page
      .waitForURL(`${origin}${file}`, { timeout: 10_000 })
      .catch(() => problems.push(`without the clipboard, ${path} shows no Markdown`));
    await context.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "notetaker-site-"));
const isPacked = process.platform === "linux" && process.arch === "x64";
const launch = isPacked ? await unpackChromium(folder) : await installedBrowser();
if (launch === undefined) throw new Error("no Chrome, Edge or Chromium on this machine");
const browser = await chromium.launch(launch);
const { server, origin } = await serve();
try {
  await checkTheme({ browser, origin, dist, expectThat });
  await look(browser, origin);
  await walkByKeyboard(browser, origin);
  await copyPages(browser, origin);
  await checkPlayground({ browser, origin, dist, violations, expectThat });
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const problem of new Set(problems)) console.error(problem);
console.log(`${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
