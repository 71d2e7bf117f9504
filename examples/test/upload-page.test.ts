/** examples/upload-page in Chromium: by keyboard alone, on a narrow and a wide screen, in dark and light. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import type { Browser } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { startUploadPage } from "../upload-page/server.js";

const service = (transcribeMs = 100) => createEmulator({ now: Date.now, life: { transcribeMs, summariseMs: 100 } });

function recording(): string {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-upload-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "Team meeting with a rather long name, recorded in the large room.wav");
  writeFileSync(file, Buffer.alloc(2 * 1024 * 1024));
  return file;
}

async function openPage(browser: Browser, url: string, options: object = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

test("the page uploads a file by keyboard alone, and shows the progress and then the transcript", async (context) => {
  const emulator = service();
  const site = await startUploadPage({ port: 0, service: emulator });
  onTestFinished(() => site.close());
  const { page, complaints } = await openPage(await launchBrowser(context), site.url);

  await page.getByLabel("Audio or video file").setInputFiles(recording());
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement?.id);
  expect(await focused()).toBe("file");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("title");
  await page.keyboard.type("Weekly");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("start");
  await page.keyboard.press("Enter");

  await page.getByText("The transcript is ready").waitFor();
  expect(await page.getByLabel("Progress").getAttribute("value")).toBe("1");
  expect(await page.locator("#transcript").textContent()).toContain("[00:00:00]");
  const [upload] = emulator.requests.filter(({ path }) => path.endsWith("/upload"));
  expect(upload?.query.get("title")).toBe("Weekly");
  expect(complaints).toEqual([]);
});

test("the page cancels an upload, and reports that it was cancelled", async (context) => {
  const site = await startUploadPage({ port: 0, service: service(600_000) });
  onTestFinished(() => site.close());
  const { page, complaints } = await openPage(await launchBrowser(context), site.url);
  await page.getByLabel("Audio or video file").setInputFiles(recording());
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled").waitFor();
  expect(await page.getByRole("button", { name: "Upload" }).isEnabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test.each([320, 1280])(
  "the page fits a width of %i pixels in dark and light, and axe-core finds no violation",
  async (width) => {
    const site = await startUploadPage({ port: 0, service: service() });
    onTestFinished(() => site.close());
    const browser = await launchBrowser({ onTestFinished, skip: () => undefined } as never);
    const file = recording();
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await openPage(browser, site.url, { viewport: { width, height: 800 }, colorScheme });
      expect(await violationsOf(page)).toEqual([]);
      await page.getByLabel("Audio or video file").setInputFiles(file);
      await page.getByRole("button", { name: "Upload" }).click();
      await page.getByText("The transcript is ready").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(scrolls, "scrolls sideways").toBe(false);
      const heights = await page.locator("button, input").evaluateAll((all) => all.map((one) => one.clientHeight));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
      await page.close();
    }
  },
);
