/** examples/live-rooms in Chromium: load, act, see the event appear, reconnect after the server restarts. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { demoService, startLiveRooms } from "../../examples/live-rooms/server.js";
import { launchBrowser } from "./launch-browser.js";

const screenshot = join(fileURLToPath(new URL("../..", import.meta.url)), "docs/live-rooms.png");

test("the page shows rooms, hears that a transcript is ready, and comes back after a restart", async (context) => {
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
  expect(await interview.locator(".badge").textContent()).toBe("Transcribing");

  await interview.getByRole("button", { name: "Finish" }).click();
  await interview.getByText("Summary ready").waitFor();
  await interview.getByText("What does the first hour of your day look like?").waitFor();
  expect(await interview.getByRole("button").isVisible()).toBe(false);
  expect(await page.locator("#feed li").allTextContents()).toEqual([
    "Summary ready Customer interview, Larkspur Clinics",
    "Transcript ready Customer interview, Larkspur Clinics",
  ]);

  // Another hears it too, although nothing was done there.
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
  // Nobody hears this one: the page has to read it when it is back.
  await service.meetings.finish("mtg_triage");
  expect(await meeting("Bug triage").locator(".badge").textContent()).toBe("Transcribing");
  site = await startLiveRooms({ port, service });
  await page.getByText("Live", { exact: true }).waitFor();
  await meeting("Bug triage").getByText("Transcript ready").waitFor();

  await meeting("Interview panel").getByRole("button").click();
  await page.locator("#feed li", { hasText: "Transcript ready Interview panel" }).waitFor();
  expect(complaints).toEqual([]);
});
