/**
 * examples/live-rooms in Chromium: the page loads, shows new events, and reconnects after the server restarts. It works
 * by keyboard alone, on a narrow and a wide screen, in dark and light.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { demoService, startLiveRooms } from "../live-rooms/server.js";

const screenshot = join(fileURLToPath(new URL("../..", import.meta.url)), "docs/live-rooms.png");

test("the page shows rooms, reports that a transcript is ready, and reconnects after the server restarts", async (context) => {
  const service = demoService();
  let site = await startLiveRooms({ port: 0, service });
  onTestFinished(() => site.close());
  const browser = await launchBrowser(context);
  const page = await browser.newPage({ viewport: { width: 1080, height: 820 }, reducedMotion: "reduce" });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));

  await page.goto(site.url);
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.locator(".room h2").allTextContents()).toEqual(["Product", "Sales", "Hiring"]);
  const meeting = (title: string) => page.locator(".meeting", { hasText: title });
  const interview = meeting("Customer interview");
  const badge = (title: string) => meeting(title).locator(".badge").textContent();
  expect(await badge("Customer interview")).toBe("Transcribing");
  expect(await badge("Phone screening")).toBe("Failed");
  expect(await badge("Debrief")).toBe("Scheduled");

  await interview.getByRole("button", { name: "Finish" }).click();
  await interview.getByText("Summary ready").waitFor();
  await interview.getByText("What does the first hour of your day look like?").waitFor();
  expect(await interview.getByRole("button").isVisible()).toBe(false);
  expect(await page.locator("#feed li").allTextContents()).toEqual([
    "Summary ready Customer interview, Larkspur Clinics",
    "Transcript ready Customer interview, Larkspur Clinics",
  ]);

  // A second page receives the event too, although the first page caused it.
  const other = await browser.newPage();
  await other.goto(site.url);
  await other.getByText("Live", { exact: true }).waitFor();
  await meeting("Demo, Halden").getByRole("button").click();
  await other.locator("#feed li", { hasText: "Demo, Halden & Sons" }).first().waitFor();
  await other.close();
  if (process.env.SCREENSHOT) await page.screenshot({ path: screenshot, fullPage: true });

  const port = Number(new URL(site.url).port);
  await site.close();
  await page.getByText("Reconnecting", { exact: true }).waitFor();
  // No page receives this event: the page has to read the meeting again after it has reconnected.
  await service.meetings.finish("mtg_triage");
  expect(await badge("Bug triage")).toBe("Transcribing");
  site = await startLiveRooms({ port, service });
  await page.getByText("Live", { exact: true }).waitFor();
  await meeting("Bug triage").getByText("Summary ready").waitFor();

  await meeting("Interview panel").getByRole("button").click();
  await page.locator("#feed li", { hasText: "Summary ready Interview panel" }).waitFor();
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await badge("Interview panel")).toBe("Summary ready");
  expect(complaints).toEqual([]);
});

test("the page survives a 500 of its own server, and shows the rooms as soon as the server can list them", async (context) => {
  const service = demoService();
  const site = await startLiveRooms({ port: 0, service });
  onTestFinished(() => site.close());
  const page = await (await launchBrowser(context)).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));

  // The client tries three times before its error becomes a 500.
  service.faults.next("GET /rooms", { status: 503, retryAfterSeconds: 0, times: 3 });
  await page.goto(site.url);
  await page.getByText("Rooms unavailable, trying again").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const meeting = page.locator(".meeting", { hasText: "Bug triage" });

  service.faults.next("GET /meetings/:id/transcript", { status: 503, retryAfterSeconds: 0, times: 3 });
  await meeting.getByRole("button").click();
  await meeting.getByText("Summary ready").waitFor();
  await expect.poll(() => service.faults.unused()).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the page works by keyboard alone, and the focus moves on when the focused button disappears", async (context) => {
  const site = await startLiveRooms({ port: 0, service: demoService() });
  onTestFinished(() => site.close());
  const browser = await launchBrowser(context);
  const page = await browser.newPage({ reducedMotion: "reduce" });
  await page.goto(site.url);
  await page.getByText("Live", { exact: true }).waitFor();
  const names = await page.locator("button:visible").allTextContents();
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(1);

  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("Tab");
  for (const [index, name] of names.entries()) {
    expect(await focused()).toBe(name);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe("solid");
    await page.keyboard.press("Enter");
    await page.locator(".meeting.fresh").nth(index).waitFor();
  }
  // No meeting is left to finish.
  expect(await focused()).toBe("Live");
});

test("a button to try again appears after a meeting could not be finished", async (context) => {
  const site = await startLiveRooms({ port: 0, service: demoService() });
  onTestFinished(() => site.close());
  const browser = await launchBrowser(context);
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.route("**/finish", (route) => route.abort(), { times: 1 });
  const meeting = page.locator(".meeting", { hasText: "Bug triage" });
  await meeting.getByRole("button").click();
  await meeting.getByRole("button", { name: "Try again Bug triage" }).click();
  await meeting.getByText("Summary ready").waitFor();
});

test.each([320, 390, 1280])(
  "the page fits a width of %i pixels in dark and light, and axe-core finds no violation",
  async (width) => {
    const browser = await launchBrowser({ onTestFinished, skip: () => undefined } as never);
    for (const colorScheme of ["light", "dark"] as const) {
      const site = await startLiveRooms({ port: 0, service: demoService() });
      onTestFinished(() => site.close());
      const viewport = { width, height: 900 };
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
      await page.goto(site.url);
      await page.getByText("Live", { exact: true }).waitFor();
      const meeting = page.locator(".meeting", { hasText: "Customer interview" });
      const { height = 0 } = (await meeting.getByRole("button").boundingBox()) ?? {};
      expect(height).toBeGreaterThanOrEqual(40);
      await meeting.getByRole("button").click();
      await meeting.getByText("Summary ready").waitFor();
      await meeting.locator("blockquote p").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(scrolls, "scrolls sideways").toBe(false);
      const news = await page.locator("#news").boundingBox();
      const rooms = await page.locator("#rooms").boundingBox();
      if (width < 700) expect(news?.y).toBeLessThan(rooms?.y ?? 0);
      else expect(news?.x).toBeGreaterThan(rooms?.x ?? Number.POSITIVE_INFINITY);
      // The title keeps enough width beside the next element.
      const narrowest = await page
        .locator(".what")
        .evaluateAll((all) => Math.min(...all.map((one) => one.clientWidth)));
      expect(narrowest).toBeGreaterThanOrEqual(160);
      await page.close();
    }
  },
);
