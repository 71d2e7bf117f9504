import { type Browser, chromium } from "playwright-core";
import { inject, type TestContext } from "vitest";

/**
 * Launches the browser that the setup found, and closes it when the test ends. Skips the test if there is no browser.
 */
export async function launchBrowser({ skip, onTestFinished }: TestContext): Promise<Browser> {
  const options = inject("browser");
  if (!options) skip();
  const browser = await chromium.launch(options);
  onTestFinished(() => browser.close());
  return browser;
}
