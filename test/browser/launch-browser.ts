import { type Browser, chromium } from "playwright-core";
import { inject, type TestContext } from "vitest";

/** The browser that the setup found, closed when the test ends. The test is skipped if there is none. */
export async function launchBrowser({ skip, onTestFinished }: TestContext): Promise<Browser> {
  const options = inject("browser");
  if (!options) skip();
  const browser = await chromium.launch(options);
  onTestFinished(() => browser.close());
  return browser;
}
