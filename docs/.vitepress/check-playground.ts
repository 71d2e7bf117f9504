/** Runs every program of the built site with its Run button, and edits some, as a reader does. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { toBase64Url } from "../../src/json/base64url.js";

interface Site {
  readonly browser: Browser;
  readonly origin: string;
  readonly dist: string;
  /** What axe-core finds on a page. */
  readonly violations: (page: Page) => Promise<string[]>;
  readonly expectThat: (holds: boolean, problem: string) => void;
}

/** What the programs of the page "Try it" print, in their order, and the last request of each. */
const PRINTED: readonly (readonly [name: string, output: readonly RegExp[], request?: RegExp])[] = [
  ["a bot's life", [/bot in_call, meeting scheduled[\s\S]*bot finished, meeting completed/, /## Summary/], /200$/],
  ["errors", [/attempt 2: ServerError/, /a read: ServerError: .* \{/, /outcome: "unknown"/], /^POST .*\/bot 503$/],
  ["webhooks", [/mtg_1: transcript ready/, /transcript_ready delivered \[ 503, 200 \]/, /failed \[ 401 \]/]],
];

/** Some failures of the second program, and what it prints. */
const FAILURES: Readonly<Record<string, RegExp>> = {
  none: /^a read: succeeded\s+a bot: succeeded$/,
  "429": /next in 7000 ms\s+a read: succeeded/,
  "500": /a read: succeeded\s+a bot: ServerError/,
  drop: /attempt 1: ConnectionError[\s\S]*a bot: ConnectionError/,
  html: /a bot: ServerError[\s\S]*status: 502/,
  malformed: /a bot: ResponseValidationError[\s\S]*outcome: "unknown"/,
  "a minute late": /attempt 1: TimeoutError[\s\S]*a bot: TimeoutError/,
};

const runButton = (block: Locator) => block.getByRole("button", { name: "Run", exact: true });

/** Waits until the program has ended. Returns what it printed, and its requests. */
async function result(block: Locator): Promise<{ status: string; output: string; requests: string[] }> {
  const status = block.getByRole("status");
  await status.getByText(/^(Done|Failed|Stopped)/).waitFor({ timeout: 60_000 });
  const output = await block.getByRole("log").innerText();
  const requests = await block.locator(".requests li").allInnerTexts();
  return { status: await status.innerText(), output, requests };
}

async function run(block: Locator) {
  await runButton(block).click();
  return result(block);
}

/** Every block with a button, on every page. */
async function runAll({ browser, origin, dist, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("request", (request) => {
    expectThat(request.url().startsWith(origin), `a page with programs requests ${request.url()}`);
  });
  const paths = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && readFileSync(join(dist, name), "utf8").includes('class="run-block"'))
    .map((name) => name.replaceAll("\\", "/").replace(/(^|\/)index\.html$/, "$1"));
  let count = 0;
  for (const path of paths) {
    await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
    for (const [index, block] of (await page.locator(".run-block").all()).entries()) {
      const { status, output, requests } = await run(block);
      const isFine = status.startsWith("Done") && !output.includes("Stopped") && output + requests.join() !== "";
      expectThat(isFine, `program ${index + 1} of ${path || "the start page"}: ${status}\n${output}`);
      count += 1;
    }
  }
  expectThat(count > 40, `only ${count} blocks have a Run button`);
  console.log(`${count} programs on ${paths.length} pages`);
  await page.close();
}

/** The page "Try it" on a phone: what its programs print, the failures, and axe-core on the results. */
async function tryOnPhone({ browser, origin, violations, expectThat }: Site, colorScheme: "light" | "dark") {
  const viewport = { width: 390, height: 800 };
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(`${origin}docs/try-it.html`, { waitUntil: "networkidle" });
  const blocks = await page.locator(".run-block").all();
  expectThat(blocks.length === PRINTED.length, `"Try it" has ${blocks.length} programs`);
  for (const [index, [name, patterns, request]] of PRINTED.entries()) {
    const { output, requests } = await run(blocks[index] as Locator);
    for (const pattern of patterns) expectThat(pattern.test(output), `${name} prints no ${pattern}:\n${output}`);
    if (request) expectThat(request.test(requests.at(-1) ?? ""), `${name} ends with ${requests.at(-1)}`);
  }
  const [, errors] = blocks as [Locator, Locator];
  for (const [name, pattern] of Object.entries(FAILURES)) {
    const button = errors.getByRole("button", { name, exact: true });
    await button.click();
    const { output } = await result(errors);
    expectThat(pattern.test(output), `with the failure ${name}:\n${output}`);
    expectThat((await button.getAttribute("aria-pressed")) === "true", `${name} is not shown as chosen`);
  }
  for (const violation of await violations(page)) expectThat(false, `try-it, ${colorScheme}: ${violation}`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expectThat(width <= viewport.width, `"Try it" is ${width} pixels wide`);
  await page.close();
}

/** Edits a block of a guide with the keyboard alone, runs it again, and stops an endless program. */
async function editByKeyboard({ browser, origin, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  await page.goto(`${origin}docs/lists.html`, { waitUntil: "networkidle" });
  const block = page.locator(".run-block").first();
  const hasFocus = (selector: string) => block.locator(selector).evaluate((it) => it === document.activeElement);
  const type = async (program: string) => {
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(program);
    await page.keyboard.press("Control+Enter");
    return result(block);
  };
  await runButton(block).focus();
  await page.keyboard.press("Enter");
  await result(block);
  expectThat(await hasFocus("button.run"), "the focus leaves the Run button");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await block
    .locator("textarea:focus")
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined);
  expectThat(await hasFocus("textarea"), "the focus does not enter the editor");
  const first = await type(
    "const rooms: number = (await notetaker.rooms.list()).data.length;\nconsole.log({ rooms });",
  );
  expectThat(first.output === "{ rooms: 5 }" && first.requests.length === 1, `edited: ${JSON.stringify(first)}`);
  const second = await type('import { NotFoundError } from "notetaker-sdk";\nthrow new NotFoundError();');
  expectThat(/^Failed/.test(second.status) && /NotFoundError: /.test(second.output), JSON.stringify(second));
  const wrong = await type("const = 1;");
  const mistake = /^line 1: SyntaxError: [^{]+ \(column \d+\)$/;
  expectThat(mistake.test(wrong.output), `a mistake in the program: ${wrong.output}`);
  const later = await type("const rooms = 1;\n\nnull.rooms(rooms);");
  expectThat(/^line 3: TypeError/.test(later.output), `an error without its line: ${later.output}`);
  const marked = block.locator(".pce-line.wrong");
  expectThat((await marked.innerText()).includes("null.rooms"), "the line of an error is not marked");
  const long = await type('console.log("x".repeat(1_000_000));');
  expectThat(long.output.length < 10_000, "a long line is not cut");

  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText("for (;;) {}");
  await page.reload({ waitUntil: "networkidle" });
  await block.locator("textarea").waitFor();
  expectThat((await block.locator("textarea").inputValue()) === "for (;;) {}", "a reload loses the program");
  await block.locator("textarea").focus();
  await page.keyboard.press("Tab");
  expectThat(await hasFocus("button.run"), "Tab does not lead from the editor to the Run button");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await block.getByRole("button", { name: "Stop" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const stopped = await result(block);
  expectThat(stopped.output === "Stopped." && stopped.status.startsWith("Stopped"), "an endless program does not stop");
  await block.getByRole("button", { name: "Link" }).click();
  const linked = await page.evaluate(() => location.hash);
  expectThat(linked === `#program-0=${toBase64Url("for (;;) {}")}`, `the link is ${linked}`);
  await block.getByRole("button", { name: "Reset" }).focus();
  await page.keyboard.press("Enter");
  expectThat((await block.locator("textarea").count()) === 0, "Reset does not close the editor");
  expectThat((await run(block)).output.startsWith("Product"), "Reset does not restore the program");
  await page.close();
}

/** A program that does not end: a second click has no effect, and after 20 s it is stopped. */
async function waitInVain({ browser, origin, expectThat }: Site): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.clock.install();
  const program = 'console.log("started");\nfor (;;) {}';
  await page.goto(`${origin}docs/lists.html#program-1=${toBase64Url(program)}`, { waitUntil: "networkidle" });
  const block = page.locator(".run-block").nth(1);
  await block.locator("textarea").waitFor();
  await runButton(block).dblclick();
  await block.getByText("started", { exact: true }).waitFor();
  await runButton(block).click();
  await page.clock.fastForward(19_000);
  const status = await block.getByRole("status").innerText();
  expectThat(status === "Running …", `after 19 s, the status is ${status}`);
  await page.clock.fastForward(1_000);
  const end = await result(block);
  expectThat(end.status === "Stopped after 20 s, 0 requests", `after 20 s, the status is ${end.status}`);
  expectThat(/^started\s+The program did not end: /.test(end.output), `after 20 s, the output is ${end.output}`);
  await page.close();
}

/** A link with a program: opened in a fresh page, and pasted into an open one. */
async function shareLink({ browser, origin, expectThat }: Site): Promise<void> {
  const program = 'const text = "100 % #1 & Zoë";\nconsole.log(text);';
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const author = await context.newPage();
  await author.goto(`${origin}docs/lists.html`, { waitUntil: "networkidle" });
  const written = author.locator(".run-block").nth(2);
  await written.getByRole("button", { name: "Edit" }).click();
  await written.locator("textarea").fill(program);
  await written.getByRole("button", { name: "Link" }).click();
  await written.getByRole("button", { name: "Copied" }).waitFor();
  const link = await author.evaluate(() => navigator.clipboard.readText());
  await context.close();

  const reader = await browser.newPage({ viewport: { width: 390, height: 800 } });
  reader.on("pageerror", ({ message }) => expectThat(false, `a link with a program: ${message}`));
  for (const before of ["about:blank", `${origin}docs/lists.html`, link.slice(0, -1)]) {
    await reader.goto(before, { waitUntil: "networkidle" });
    await reader.goto(link, { waitUntil: "networkidle" });
    const block = reader.locator(".run-block").nth(2);
    await block.locator("textarea").waitFor();
    expectThat((await block.locator("textarea").inputValue()) === program, `${link} has another program`);
    expectThat((await reader.locator("textarea").count()) === 1, `${link} opens more than one program`);
    const isInView = await block.evaluate(async (it) => {
      await new Promise((later) => setTimeout(later, 500));
      const { left, top } = it.getBoundingClientRect();
      return it.contains(document.elementFromPoint(left + 20, top + 20));
    });
    expectThat(isInView, `after ${before}, the header hides the program of a link`);
    const { output } = await run(block);
    expectThat(output === "100 % #1 & Zoë", `after ${before}, the program of a link prints ${output}`);
    await reader.evaluate(() => sessionStorage.clear());
  }
  await reader.close();
}

export async function checkPlayground(site: Site): Promise<void> {
  await runAll(site);
  await waitInVain(site);
  await shareLink(site);
  for (const colorScheme of ["light", "dark"] as const) await tryOnPhone(site, colorScheme);
  await editByKeyboard(site);
}
