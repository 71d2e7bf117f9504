/** Tests what the theme adds to VitePress: what is seen before hydration, during a program, on a phone and on paper. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { hydrated } from "./hydrated.js";

interface Site {
  readonly browser: Browser;
  readonly origin: string;
  readonly dist: string;
  readonly expectThat: (holds: boolean, problem: string) => void;
}

/** The largest index of the search, in bytes before compression: it is loaded with the first search. */
const MAX_INDEX_BYTES = 480_000;

const scriptsOf = (dist: string) => join(dist, "assets/chunks");

/** `/docs/` begins with products, no two pages have the same title, and the index of the search is small. */
function checkFiles({ dist, expectThat }: Site): void {
  const [, first = ""] = /<h2 id="[^>]*>([^<]*)/.exec(readFileSync(join(dist, "docs/index.html"), "utf8")) ?? [];
  expectThat(first.trim() === "Put it into your product", `docs/ begins with "${first}"`);
  const byTitle = new Map<string, string[]>();
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue;
    const [, title = ""] = /<title>(.*?)<\/title>/.exec(readFileSync(join(dist, name), "utf8")) ?? [];
    byTitle.set(title, [...(byTitle.get(title) ?? []), name]);
  }
  for (const [title, names] of byTitle)
    expectThat(names.length === 1, `${names.join(", ")}: the same title, "${title}"`);
  for (const name of readdirSync(scriptsOf(dist)).filter((file) => file.startsWith("@localSearchIndexroot"))) {
    const { length } = readFileSync(join(scriptsOf(dist), name));
    console.log(`the index of the search has ${length} bytes`);
    expectThat(length <= MAX_INDEX_BYTES, `the index of the search has ${length} bytes`);
  }
}

/** Before its scripts run, a page has no Run button, because a click would be lost. When they run, nothing moves. */
async function checkBeforeHydration({ browser, origin, expectThat }: Site): Promise<void> {
  const heights = async (javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${origin}docs/try-it.html`, { waitUntil: "networkidle" });
    if (javaScriptEnabled) await hydrated(page);
    const blocks = await page.locator(".run-block").all();
    const button = page.locator(".run-block button.run").first();
    expectThat(
      (await button.count()) === 1 && (await button.isVisible()) === javaScriptEnabled,
      `with${javaScriptEnabled ? "" : "out"} scripts, it is wrong whether a Run button is seen`,
    );
    const boxes = await Promise.all(blocks.map((block) => block.boundingBox()));
    await context.close();
    return boxes.map((box) => box?.height);
  };
  const [before, after] = [await heights(false), await heights(true)];
  expectThat(String(before) === String(after), `blocks that are ${before} pixels high become ${after} pixels high`);
}

/** The program of the home page runs, and nothing on the page moves. */
async function checkHome({ browser, origin, expectThat }: Site): Promise<void> {
  for (const width of [390, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(origin, { waitUntil: "networkidle" });
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".first .what, .first .run-block, .first ~ .picture, .features")]
          .filter((element) => element.getClientRects().length > 0)
          .map((element) => element.getBoundingClientRect().top + scrollY),
      );
    const before = await places();
    await page.locator(".first button.run").click();
    await page.locator(".first [role=status]", { hasText: "Done" }).waitFor({ timeout: 60_000 });
    expectThat(String(await places()) === String(before), `at ${width} pixels, Run moves the home page`);
    const isOnTop = await page.locator(".first [role=log]").evaluate((output) => {
      const { left, top, width, height } = output.getBoundingClientRect();
      const seen = [0.01, 0.1, 0.5, 0.9, 0.99].flatMap((x) =>
        [0.1, 0.5, 0.9].map((y) => document.elementFromPoint(left + x * width, top + y * height)),
      );
      return output.textContent !== "" && seen.every((element) => output.contains(element));
    });
    expectThat(isOnTop, `at ${width} pixels, the output on the home page is not seen`);
    await page.close();
  }
}

/** While its index is loading, the search says so. On a phone, too, its results show whole lines of code. */
async function checkLoading({ browser, origin, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/@localSearchIndexroot/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${origin}docs/lists.html`, { waitUntil: "networkidle" });
  await hydrated(page);
  await page.keyboard.press("/");
  const status = page.locator(".VPLocalSearchBox [role=status]");
  await status.getByText("Loading").waitFor({ timeout: 20_000 });
  expectThat(await status.isVisible(), "the search does not say that it loads");
  release();
  await page.keyboard.type("cursor");
  await page.locator(".VPLocalSearchBox .result").first().waitFor({ timeout: 20_000 });
  expectThat(!(await status.innerText()).includes("Loading"), "the search says that it loads when it has results");
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll(".VPLocalSearchBox .excerpt pre")].some(
      (pre) =>
        pre.scrollWidth > pre.clientWidth + 1 ||
        pre.getBoundingClientRect().left < (pre.closest(".excerpt")?.getBoundingClientRect().left ?? 0),
    ),
  );
  expectThat(!cut, "the search cuts lines of code");
  await page.close();
}

/** On a phone, a title has the whole width of the page. On a wide screen, the titles beside the page are not cut. */
async function checkTitles({ browser, origin, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  await page.goto(`${origin}docs/runtimes.html`, { waitUntil: "networkidle" });
  const [button, title] = await Promise.all([
    page.locator(".copy-page").boundingBox(),
    page.locator("h1").boundingBox(),
  ]);
  expectThat((button?.y ?? 0) + (button?.height ?? 0) <= (title?.y ?? 0), "on a phone, a button is beside the title");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${origin}reference/errors.html`, { waitUntil: "networkidle" });
  const cut = await page.evaluate(() => {
    const links = [...document.querySelectorAll(".aside .outline-link")];
    return links.filter((link) => link.scrollWidth > link.clientWidth).map((link) => link.textContent);
  });
  expectThat(cut.length === 0, `beside the page, the titles of ${cut} are cut`);
  await page.close();
}

/** On paper there is no navigation, and the text is dark, also in dark mode. */
async function checkPrint({ browser, origin, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ colorScheme: "dark" });
  await page.goto(`${origin}docs/lists.html`, { waitUntil: "networkidle" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const name of [".VPNav", ".VPSidebar", ".VPDocFooter", ".copy-page", ".run-block .bar"])
    expectThat(!(await page.locator(name).first().isVisible()), `${name} is printed`);
  const light = await page.evaluate(() =>
    [...document.querySelectorAll(".vp-doc :is(h1, h2, p, li, td, code, pre span)")]
      .filter((element) =>
        (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).some((part) => Number(part) > 200),
      )
      .map((element) => `${element.tagName} "${element.textContent?.slice(0, 30)}"`),
  );
  expectThat(light.length === 0, `on paper, ${light.length} elements are light, such as ${light[0]}`);
  const code = page.locator(".vp-doc [class*=language-]").first();
  const paper = await code.evaluate((block) => getComputedStyle(block).backgroundColor);
  expectThat(paper === "rgb(255, 255, 255)", `on paper, code stands on ${paper}`);
  await page.close();
}

export async function checkTheme(site: Site): Promise<void> {
  checkFiles(site);
  await checkBeforeHydration(site);
  await checkHome(site);
  await checkLoading(site);
  await checkTitles(site);
  await checkPrint(site);
}
