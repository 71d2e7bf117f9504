/** The page of examples/web-app in Chromium, beside Vite, its server and the emulator. Its own tests run in a copy. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { getRequestListener } from "@hono/node-server";
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { openArchive } from "notetaker-sdk/sql";
import { createEmulator } from "notetaker-sdk/testing";
import type { Page } from "playwright-core";
import { build, createServer as createVite } from "vite";
import { afterAll, expect, onTestFinished, type TestContext, test, vi } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { freePort } from "../../test/support/free-port.js";
import { createApp } from "../web-app/server/app.js";
import { keepArchive } from "../web-app/server/archive.js";
import { examples, programOf, runFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

const root = join(examples, "web-app");
/** The three processes of the application, in this one, for all tests. */
async function startApplication() {
  const port = await freePort();
  const service = createEmulator({ now: Date.now, stepTimes: "manual", limits: "none" });
  const { url: baseUrl, close: closeService } = await service.listen({ port: 0 });
  const options = { baseUrl, token: service.token, maxRetryDelayMs: 5_000 };
  const url = `http://127.0.0.1:${port}/hooks/notetaker`;
  const { secret } = await new Notetaker(options).webhooks.create({ url, events: [...EVENT_KINDS] });
  const database = new PGlite();
  const archive = openArchive(database);
  const stopKeeping = keepArchive(new Notetaker(options), database, { requestsPerMinute: 1_000 });
  let close = () => {};
  const start = async () => {
    const { app, close: endStreams } = createApp(new Notetaker(options), { webhookSecret: secret, archive });
    const server: Server = createServer(getRequestListener(app.fetch));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    close = () => {
      endStreams();
      server.closeAllConnections();
      server.close();
    };
  };
  await start();
  process.env.SERVER_URL = `http://127.0.0.1:${port}`;
  const vite = await createVite({
    root,
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
    cacheDir: runFolder(),
  });
  await vite.listen();
  afterAll(async () => {
    close();
    await stopKeeping();
    await Promise.all([vite.close(), closeService(), database.close()]);
  });
  return { service, address: vite.resolvedUrls?.local[0] as string, start, stop: () => close() };
}
const { service, address, start, stop } = await startApplication();

async function openPage(context: TestContext, path = "", options: object = {}): Promise<Page> {
  const page = await (await launchBrowser(context)).newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(`${address}${path}`);
  await page.locator(".meetings li").first().waitFor();
  return page;
}

/** The meetings are read one after another. */
const isKept = () =>
  vi.waitFor(async () => {
    const found = await fetch(`${address}api/search?q=thursday`);
    expect(await found.json()).not.toEqual([]);
  }, 60_000);

const news = (page: Page) => page.getByRole("list", { name: "News" });

test("the page announces a meeting that becomes ready, also after its server was away", async (context) => {
  const page = await openPage(context);
  const upload = () =>
    new Notetaker(service.clientOptions).meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
  const first = await upload();
  await service.meetings.transcribe(first.id);
  await news(page).getByText("Transcript ready").waitFor();

  const second = await upload();
  stop();
  const delivered = service.meetings.transcribe(second.id);
  await page.waitForTimeout(500);
  await start();
  await delivered;
  // The service delivers again; the page has connected to the new server meanwhile, or reads everything.
  const ready = page.locator(".meetings .badge", { hasText: "Transcript ready" });
  await expect.poll(() => ready.count(), { timeout: 60_000 }).toBe(2);
  await page.locator(".live[data-state=open]").waitFor();
});

test("the page uploads a recording with progress, and cancels", async (context) => {
  const page = await openPage(context);
  const file = join(runFolder(), "Team meeting.wav");
  writeFileSync(file, Buffer.alloc(2 * 1024 * 1024));
  const upload = async () => {
    await page.getByRole("button", { name: "Record a meeting" }).click();
    await page.getByLabel("Recording", { exact: true }).setInputFiles(file);
  };

  service.faults.next("PUT /meetings/upload", { delayMs: 600_000 });
  await upload();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("You cancelled the upload.").waitFor();
  service.faults.clear(); // the page may have cancelled before the service saw the request

  // A slow network: the bar has a value between the ends, and none once the service has all and has yet to answer.
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 };
  await network.send("Network.emulateNetworkConditions", slow);
  service.faults.next("PUT /meetings/upload", { delayMs: 1_000 });
  await upload();
  await page.waitForFunction(() => {
    const { value = 0 } = document.querySelector("progress") ?? {};
    return value > 0 && value < 1;
  });
  await page.getByText("Waiting for the service: Team meeting.wav").waitFor();
  expect(await page.locator("progress").getAttribute("value")).toBeNull();
  await page.getByText(/Team meeting.wav is uploaded/).waitFor();
  await page.locator(".meetings", { hasText: "Team meeting.wav" }).waitFor();
});

test("the page searches a transcript, shares a meeting and revokes it, and renews an expired link of a recording", async (context) => {
  const { id } = await new Notetaker(service.clientOptions).meetings.upload(new Uint8Array(8), {
    title: "Board meeting",
    contentType: "audio/wav",
  });
  await service.meetings.transcribe(id);
  const page = await openPage(context);
  const links: string[] = [];
  page.on("request", (request) => request.url().endsWith("/recording") && links.push(request.url()));
  await page.route("**/recordings/**", (route) => route.abort(), { times: 1 });
  await page.locator(".meetings a", { hasText: "Board meeting" }).click();
  await page.getByText(/^\d+ turns$/).waitFor();
  await page.getByLabel("Search the transcript").fill("zzz");
  await page.getByText(/^0 of \d+ turns$/).waitFor();
  await page.getByLabel("Search the transcript").fill("THE");
  expect(await page.locator(".turns mark").first().textContent()).toMatch(/^the$/i);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share this meeting" });
  await dialog.getByText("Everybody who uses this page, and nobody else.").waitFor();
  await dialog.getByRole("button", { name: "Share with a link" }).click();
  expect(await dialog.getByLabel("Link to share").inputValue()).toContain(id);
  await dialog.getByRole("button", { name: "Revoke: Anyone with the link" }).click();
  await dialog.getByText("Everybody who uses this page, and nobody else.").waitFor();
  const address = dialog.getByLabel("Address of a colleague");
  await address.fill("nobody");
  await address.press("Enter");
  await dialog.getByText("Write one address").waitFor();
  expect(await address.inputValue()).toBe("nobody");
  await address.fill("grace@example.com");
  await address.press("Enter");
  await dialog.getByRole("button", { name: "Revoke: grace@example.com" }).click();
  await dialog.getByText("Everybody who uses this page, and nobody else.").waitFor();
  expect(await address.inputValue()).toBe("");
  await expect.poll(() => links.length, { timeout: 60_000 }).toBe(2);
});

test("the line that is said is marked while the recording plays, and a click on a time plays from there, also before the player has its link and after a new one", async (context) => {
  service.faults.next("GET /meetings/:id/recording", { delayMs: 1_500 });
  const page = await openPage(context, "meetings/mtg_1");
  const lines = page.locator(".turns li");
  await lines.nth(3).getByRole("button").click();
  await expect.poll(() => lines.nth(3).getAttribute("aria-current"), { timeout: 60_000 }).toBe("true");
  const [, seconds] = ((await lines.nth(3).getByRole("button").textContent()) ?? "").split(":");
  expect(await page.evaluate(() => document.querySelector("video")?.currentTime)).toBeGreaterThanOrEqual(
    Number(seconds),
  );
  await page.waitForFunction(() => (document.querySelector("video")?.textTracks[0]?.cues?.length ?? 0) > 0);
  expect((await page.locator("video").boundingBox())?.height, "there is no picture").toBe(56);
  await page.locator("video").dispatchEvent("error");
  await expect.poll(() => lines.nth(4).getAttribute("aria-current"), { timeout: 60_000 }).toBe("true");
  expect(await lines.nth(3).getAttribute("aria-current")).toBeNull();
});

test("the transcript follows the recording for a reader who sees the last line, and for nobody else", async (context) => {
  // A page that is too low for all lines.
  const page = await openPage(context, "meetings/mtg_1", { viewport: { width: 1280, height: 420 } });
  const lines = page.locator(".turns li");
  const isSeen = async (line: number) => {
    const { y = -1 } = (await lines.nth(line).boundingBox()) ?? {};
    return y >= 0 && y < 420;
  };
  const said = async (line: number) => {
    await page.evaluate((line) => {
      const video = document.querySelector("video") as HTMLVideoElement;
      const time = document.querySelectorAll(".turns button")[line]?.textContent ?? "";
      video.currentTime = Number(time.split(":")[1]) + 0.5;
    }, line);
    await page.locator(`.turns li:nth-child(${line + 1})[aria-current]`).waitFor();
  };
  await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) > 0);
  await said(0);
  expect(await page.evaluate(() => scrollY), "the first line leaves the page where it is").toBe(0);
  await lines.nth(0).scrollIntoViewIfNeeded();
  await said(1);
  await expect.poll(() => isSeen(1)).toBe(true);
  await said(5);
  await expect.poll(() => isSeen(5)).toBe(true);
  await page.evaluate(() => scrollTo(0, 0));
  expect(await isSeen(5)).toBe(false);
  await said(4);
  await said(3);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("a hit of the search over all meetings opens the recording at its second", async (context) => {
  await isKept();
  const page = await openPage(context);
  await page.getByRole("link", { name: "Search what was said" }).click();
  const hits = page.locator(".meetings a", { hasText: "turn the flag on for everybody" });
  await page.getByLabel("Search what was said").fill('"turn the flag on"');
  const time = await hits.first().locator(".facts").textContent();
  await hits.first().click();
  const line = page.locator(".turns li[aria-current]");
  await line.getByText("turn the flag on for everybody").waitFor();
  expect(time).toContain((await line.getByRole("button").textContent()) ?? "");
  const seconds = Number(new URL(page.url()).hash.replace("#t=", ""));
  expect(seconds).toBeGreaterThan(5);
  await page.waitForFunction((at) => Math.abs((document.querySelector("video")?.currentTime ?? 0) - at) < 1, seconds);
});

test("each meeting and each search has a URL: a reload keeps it, and back leads to the list on a phone", async (context) => {
  const page = await openPage(context, "", { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Search meetings").fill("hiring");
  await expect.poll(() => page.locator(".meetings li").count(), { timeout: 60_000 }).toBe(1);
  await page.locator(".meetings a").click();
  await page.getByRole("heading", { name: /Hiring panel/ }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /Hiring panel/ }).waitFor();
  expect(await page.title()).toMatch(/^Hiring panel/);
  expect(await page.locator(".list").isVisible()).toBe(false);
  await page.goBack();
  await page.locator(".meetings a").waitFor();
  expect(await page.locator(".meetings li").count()).toBe(1);
  expect(await page.getByLabel("Search meetings").inputValue()).toBe("hiring");
});

test("the built page and its server need nothing else: a meeting's URL opens it, without a complaint", async (context) => {
  const browser = await launchBrowser(context);
  const compiler = programOf("typescript7/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", root]);
  await build({ root, logLevel: "error" });
  const service = createEmulator();
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
  const server = await startProgram(root, "server/server.ts", env);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${server.url}/meetings/mtg_1`);
  await page.getByRole("heading", { name: "Weekly product sync" }).waitFor();
  await page.locator(".turns li").first().waitFor();
  await page.goto(`${server.url}/search?search=flag`);
  await page.getByRole("heading", { name: "Search what was said" }).waitFor();
  expect(complaints).toEqual([]);
  expect((await page.goto(`${server.url}/nowhere`))?.status()).toBe(404);
  await page.getByText("There is no such page.").waitFor();
});

test("the page has at most 60 KB of script beside React, gzipped", async () => {
  const outDir = runFolder();
  const external = [/^react(-dom)?(\/|$)/];
  await build({ root, logLevel: "error", build: { outDir, emptyOutDir: false, rollupOptions: { external } } });
  const scripts = readdirSync(join(outDir, "assets")).filter((name) => name.endsWith(".js"));
  const bytes = scripts.map((name) => gzipSync(readFileSync(join(outDir, "assets", name))).length);
  const total = bytes.reduce((sum, one) => sum + one, 0);
  console.log(`examples/web-app: ${total} bytes of script without React, gzipped`);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(60_000);
});

test.for([320, 390, 768, 1280])(
  "the page fits %i pixels in dark and light, and axe-core finds no violation",
  async (width, context) => {
    await isKept();
    const page = await openPage(context, "", { viewport: { width, height: 900 } });
    /** With SCREENSHOTS=FOLDER, the pictures are kept there. Of this test alone (`-t fits`), docs/web-app.png is one of them. */
    async function look(name: string) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const picture = `web-app-${width}-${colorScheme}-${name}`;
        expect(await violationsOf(page), picture).toEqual([]);
        const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(isWider, `${picture} scrolls sideways`).toBe(false);
        const folder = process.env.SCREENSHOTS;
        if (folder) await page.screenshot({ path: join(folder, `${picture}.png`) });
      }
    }
    await look("list");
    await page.getByRole("button", { name: "Record a meeting" }).press("Enter");
    await page.getByLabel("Link of the call").waitFor();
    await look("record");
    await page.keyboard.press("Escape");
    await page.goto(`${address}search?search=flag`);
    await page.locator(".meetings mark").first().waitFor();
    await look("search");
    await page.goBack();
    await page.locator(".meetings a", { hasText: "Partner call" }).press("Enter");
    await page.getByText("This meeting was not recorded.").waitFor();
    expect(await page.getByRole("button", { name: "Share", exact: true }).count()).toBe(0);
    await page.locator("article").getByRole("button", { name: "Record a meeting" }).click();
    await page.keyboard.press("Escape");
    await page.goBack();
    await page.locator(".meetings a", { hasText: "Weekly product sync" }).first().press("Enter");
    await page.locator(".turns li").first().waitFor();
    await look("meeting");
    if (process.env.SCREENSHOTS) {
      await page.mouse.wheel(0, 400);
      await look("scrolled");
    }
  },
);
