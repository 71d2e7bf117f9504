import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { expect, inject, type TestContext } from "vitest";

/** How long a page may take for each step. A busy machine needs more than the usual half minute. */
const PATIENCE_MS = 120_000;

/**
 * Launches the browser that the setup found, and closes it when the test ends. Skips the test if there is no browser.
 */
export async function launchBrowser({ skip, onTestFinished }: TestContext): Promise<Browser> {
  const options = inject("browser");
  if (!options) skip();
  const browser = await chromium.launch({ ...options, timeout: PATIENCE_MS });
  onTestFinished(() => browser.close());
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (context) => {
    const page = await newPage(context);
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  };
  return browser;
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A program of this folder as one script for a page. A Node module in it would fail the build. */
export async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileOf(program)],
    bundle: true,
    format: "esm",
    platform: "browser",
    tsconfig: fileOf("../../tsconfig.json"),
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/** The page of a program at `/page.js`. */
export const PAGE = '<!doctype html><script type="module" src="/page.js"></script>';

/** Opens such a page, and returns what its program stores in the global `done`. No error may stay unhandled there. */
export async function resultOf(context: TestContext, url: string): Promise<unknown> {
  const page = await (await launchBrowser(context)).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => "done" in globalThis);
  const result = await page.evaluate(() => (globalThis as { done?: Promise<unknown> }).done);
  expect(complaints).toEqual([]);
  return result;
}
