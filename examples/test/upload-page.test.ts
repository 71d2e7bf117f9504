/** examples/upload-page in Chromium: by keyboard alone, on a narrow and a wide screen, in dark and light. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { startUploadPage } from "../upload-page/server.js";

const service = (transcribeMs = 100) => createEmulator({ now: Date.now, life: { transcribeMs, summariseMs: 100 } });

/** The context of a parametrised test, which gets none. */
const launch = { onTestFinished, skip: () => undefined } as never;

function recording(name = "Team meeting with a rather long name, recorded in the large room.wav"): string {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-upload-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
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

/** Opens the page, and starts an upload. `sentences` has everything that the page has told the user so far. */
async function startUpload(
  context: TestContext,
  emulator: Emulator,
  file = recording(),
  before = async (_: Page) => {},
) {
  const site = await startUploadPage({ port: 0, service: emulator });
  onTestFinished(() => site.close());
  const page = await (await launchBrowser(context)).newPage();
  await before(page);
  await page.goto(site.url);
  await page.evaluate(() => {
    const told: string[] = [];
    const status = document.getElementById("status") as HTMLElement;
    new MutationObserver(() => told.push(status.textContent ?? "")).observe(status, { childList: true });
    Object.assign(globalThis, { told });
  });
  await page.getByLabel("Audio or video file").setInputFiles(file);
  await page.getByRole("button", { name: "Upload" }).click();
  return { page, sentences: () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told) };
}

test("the page cancels an upload", async (context) => {
  const emulator = service();
  emulator.faults.next("PUT /meetings/upload", { delayMs: 600_000 });
  const { page } = await startUpload(context, emulator);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("You cancelled the upload.").waitFor();
  expect(await page.getByRole("button", { name: "Upload" }).isEnabled()).toBe(true);
});

test("the page says that a recording is uploaded if the user does not wait for the transcript", async (context) => {
  const { page } = await startUpload(context, service(600_000));
  await page.getByRole("button", { name: "Stop waiting" }).click();
  await page.getByText("Uploaded; you did not wait for the transcript.").waitFor();
  expect(await page.getByRole("button", { name: "Upload" }).isEnabled()).toBe(true);
});

test("the page says why it waits: the service asks for it, before an upload and between polls", async (context) => {
  const emulator = service();
  emulator.faults.next("PUT /meetings/upload", { status: 429, retryAfterSeconds: 2 });
  emulator.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 1 });
  emulator.faults.next("GET /meetings/:id/transcript", { status: 503 });
  const { page, sentences } = await startUpload(context, emulator);
  await page.getByText("The transcript is ready.").waitFor();
  const name = /^Uploading Team meeting with/;
  expect(await sentences()).toEqual([
    expect.stringMatching(name),
    "We wait 2 s because the service asks for it.",
    expect.stringMatching(name),
    "Uploaded. We wait for the transcript.",
    "Uploaded. We wait 1 s because the service asks for it.",
    "Uploaded. The service is not available. We try again in 1 s.",
    "The transcript is ready.",
  ]);
});

test("the page says that the transcript is not ready yet after ten minutes", async (context) => {
  const { page } = await startUpload(context, service(3_600_000), undefined, (page) => page.clock.install());
  await page.getByText("Uploaded. We wait for the transcript.").waitFor();
  await page.clock.fastForward("10:01");
  await page.getByText("Uploaded; the transcript is not ready yet. You will find it later in your meetings.").waitFor();
});

test("the page says that a recording could not be transcribed", async (context) => {
  const emulator = service(600_000);
  const { page } = await startUpload(context, emulator);
  await page.getByText("Uploaded. We wait for the transcript.").waitFor();
  for (const { id, status } of emulator.meetings.list()) if (status === "processing") emulator.meetings.fail(id);
  await page.getByText("Uploaded, but the service could not transcribe this recording.").waitFor();
});

test.each([
  ["of another type", "notes.txt", {}, "The service does not accept this file. Choose audio or video."],
  ["without a login", undefined, { status: 401 }, "The recording was not uploaded. Log in, then upload it again."],
  [
    "whose response is lost",
    undefined,
    { kind: "drop", acts: true },
    "The connection failed. The recording may be uploaded: look at your meetings before you upload it again.",
  ],
  [
    "too soon",
    undefined,
    { status: 429, retryAfterSeconds: 120 },
    "The recording was not uploaded: there are too many uploads. Try again in 120 s.",
  ],
] as const)("the page says in a sentence what became of a file %s", async (_, name, fault, sentence) => {
  const emulator = service();
  if (Object.keys(fault).length > 0) emulator.faults.next("PUT /meetings/upload", fault);
  const { page } = await startUpload(launch, emulator, recording(name));
  await page.getByText(sentence).waitFor();
  expect(await page.locator("#status").getAttribute("data-state")).toBe("failed");
});

test.each([320, 390, 1280])(
  "the page fits a width of %i pixels in dark and light, and axe-core finds no violation",
  async (width) => {
    const site = await startUploadPage({ port: 0, service: service() });
    onTestFinished(() => site.close());
    const browser = await launchBrowser(launch);
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
