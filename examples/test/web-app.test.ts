/** examples/web-app: its own tests, and the page in Chromium beside Vite, its server and the emulator. */
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import type { Page } from "playwright-core";
import { createServer as createVite } from "vite";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { freePort } from "../../test/support/free-port.js";
import { runProgram } from "../../test/support/run-program.js";
import { createApp } from "../web-app/server/app.js";
import { examples, runFolder } from "./support/run-folder.js";

const root = join(examples, "web-app");
test("the component tests of the application pass", async () => {
  const program = join(examples, "../node_modules/vitest/vitest.mjs");
  const { exitCode, output } = await runProgram(program, ["run"], { CI: "1" }, root);
  expect(exitCode, output).toBe(0);
});

/** The three processes of the application, in this one. `restart` takes the server away for a moment. */
async function application() {
  const port = await freePort();
  const service = createEmulator({ now: Date.now, stepTimes: "manual" });
  const options = { ...service.clientOptions, maxRetryDelayMs: 5_000 };
  const url = `http://127.0.0.1:${port}/hooks/notetaker`;
  const { secret } = await new Notetaker(options).webhooks.create({ url, events: [...EVENT_KINDS] });
  let close = () => {};
  const start = async () => {
    const { app, close: endStreams } = createApp(new Notetaker(options), secret);
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
  onTestFinished(async () => {
    close();
    await vite.close();
  });
  return { service, address: vite.resolvedUrls?.local[0] as string, start, stop: () => close() };
}

async function openPage(context: TestContext, address: string, options: object = {}): Promise<Page> {
  const page = await (await launchBrowser(context)).newPage({ viewport: { width: 1280, height: 900 }, ...options });
  await page.goto(address);
  await page.locator(".meetings li").first().waitFor();
  return page;
}

const news = (page: Page) => page.getByRole("list", { name: "News" });

test("the page announces a meeting that becomes ready, also after its server was away", async (context) => {
  const { service, address, start, stop } = await application();
  const page = await openPage(context, address);
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
  await expect
    .poll(() => page.locator(".meetings .badge", { hasText: "Completed" }).count(), { timeout: 60_000 })
    .toBe(2);
});

test("the page uploads a recording with progress, cancels, and says when to try again", async (context) => {
  const { service, address } = await application();
  const page = await openPage(context, address);
  const file = join(runFolder(), "Team meeting.wav");
  writeFileSync(file, Buffer.alloc(2 * 1024 * 1024));
  await page.getByLabel("Recording").setInputFiles(file);

  service.faults.next("PUT /meetings/upload", { status: 429, retryAfterSeconds: 120 });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("Too many requests. Try again in 120 s.").waitFor();

  service.faults.next("PUT /meetings/upload", { delayMs: 600_000 });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("You cancelled the upload.").waitFor();

  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText(/Team meeting.wav is uploaded/).waitFor();
  await page.locator(".meetings", { hasText: "Team meeting.wav" }).waitFor();
});

test("the page searches a transcript, shares a meeting, and renews an expired link of a recording", async (context) => {
  const { service, address } = await application();
  const { id } = await new Notetaker(service.clientOptions).meetings.upload(new Uint8Array(8), {
    title: "Board meeting",
    contentType: "audio/wav",
  });
  await service.meetings.transcribe(id);
  const page = await openPage(context, address);
  const links: string[] = [];
  page.on("request", (request) => request.url().endsWith("/recording") && links.push(request.url()));
  await page.route("**/recordings/**", (route) => route.abort(), { times: 1 });
  await page.locator(".meetings button", { hasText: "Board meeting" }).click();
  await page.getByText(/^\d+ turns$/).waitFor();
  await page.getByLabel("Search").fill("zzz");
  await page.getByText(/^0 of \d+ turns$/).waitFor();
  await page.getByRole("button", { name: "Share with a link" }).click();
  await page.getByText("Anyone with this link can read it.").waitFor();
  await expect.poll(() => links.length, { timeout: 60_000 }).toBe(2);
});

test.for([320, 390, 1280])(
  "the page fits %i pixels in dark and light, and axe-core finds no violation",
  async (width, context) => {
    const { address } = await application();
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await openPage(context, address, { viewport: { width, height: 900 }, colorScheme });
      await page.locator(".meetings button", { hasText: "Weekly product sync" }).first().press("Enter");
      await page.locator(".turns li").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), "scrolls sideways").toBe(
        false,
      );
      await page.close();
    }
  },
);
