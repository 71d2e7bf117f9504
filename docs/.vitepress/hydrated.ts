import type { Page } from "playwright-core";

/** Waits until the scripts of the page run: a key or a click before that is lost. */
export async function hydrated(page: Page): Promise<void> {
  const isMounted = () => (document.querySelector("#app") as { __vue_app__?: object } | null)?.__vue_app__;
  await page.waitForFunction(isMounted, undefined, { timeout: 60_000 });
}
