import { type Browser, chromium } from "playwright-core";
import { inject, type TestContext } from "vitest";

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
