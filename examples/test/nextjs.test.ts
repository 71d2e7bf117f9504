/**
 * The recipe for Next.js in the untouched project that `create-next-app` makes, checked by its eslint, built, started and
 * clicked through as a user does it. With NEXT=latest it is the newest of today; otherwise the one of the examples' lock.
 *
 * The template's own layout downloads fonts from Google in `next build`; the recipe's layout replaces it.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { aMeeting, aWebhook, createEmulator, sendEvent } from "notetaker-sdk/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { launchBrowser, type TestBrowser } from "../../test/browser/launch-browser.js";
import { violationsOf } from "../../test/browser/violations-of.js";
import { hasPostgres, startPostgres } from "../../test/postgres/support/postgres-server.js";
import { freePort } from "../../test/support/free-port.js";
import { notetakerOf } from "../recipes/nextjs/lib/notetaker.js";
import { toneWav } from "../tour/wav.js";
import { programOf } from "./support/run-folder.js";
import { plainEnvironment, startProgram } from "./support/start-program.js";

const env = {
  ...plainEnvironment(),
  NEXT_TELEMETRY_DISABLED: "1",
  SESSION_SECRET: "of this test",
  LOGIN_PASSWORD: "secret",
  INSECURE: "1", // the test has no https
} as NodeJS.ProcessEnv;

const parent = mkdtempSync(join(tmpdir(), "notetaker-next-"));
const folder = join(parent, "app");
const NEXT = join(folder, "node_modules/next/dist/bin/next");
afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));

async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd, env, maxBuffer: 1e7, shell: process.platform === "win32" };
  return (await promisify(execFile)(program, args, options)).stdout;
}

let built: string;

/** The build runs without the service's variables, since a build has no token. */
beforeAll(async () => {
  const create = process.env.NEXT === "latest" ? ["npx", "--yes", "create-next-app@latest"] : undefined;
  const [program, ...args] = create ?? [process.execPath, programOf("create-next-app/dist/index.js")];
  await run(parent, program as string, ...args, folder, "--skip-install", "--disable-git", "--yes");
  // As the reader installs it; the packed package in place of the published one.
  const libraries = [inject("tarball"), "react-markdown", "vitest@4", "pg", "@types/pg"];
  await run(folder, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...libraries);
  for (const recipe of ["nextjs", "nextjs-search"])
    cpSync(join(folder, "node_modules/notetaker-sdk/examples/recipes", recipe), folder, { recursive: true });
  const eslint = join(folder, "node_modules/eslint/bin/eslint.js");
  const [complaints, output] = await Promise.all([
    run(folder, process.execPath, eslint, "--max-warnings", "0"),
    run(folder, process.execPath, NEXT, "build"),
  ]);
  expect(complaints).toBe("");
  built = output;
}, 900_000);

async function startNext(command: "start" | "dev", port: number, url: string, more: object = {}) {
  const origin = `http://127.0.0.1:${port}`;
  const program = [NEXT, command, "-H", "127.0.0.1", "-p", String(port)];
  const variables = { ...env, ...more, NOTETAKER_BASE_URL: url };
  const server = await startProgram(folder, program, variables, `${origin}/favicon.ico`);
  return { origin, server };
}

/** The built application, with an account for each tenant: Acme has 20 meetings, Globex one. */
async function started(more?: object) {
  const port = await freePort();
  const account = (id: string, count: number) => ({
    meetings: Array.from({ length: count }, (_, index) =>
      aMeeting({ id: `mtg_${id}_${index}`, title: `${id} ${index}`, recording: true }),
    ),
    webhooks: [aWebhook({ url: `http://127.0.0.1:${port}/api/hooks/${id}`, secret: `whsec_${id}` })],
  });
  const accounts = { "token-of-acme": account("acme", 20), "token-of-globex": account("globex", 1) };
  const service = createEmulator({ accounts, limits: "none" });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  return { service, url, close, ...(await startNext("start", port, url, more)) };
}

async function logIn(browser: TestBrowser, origin: string, email: string, options: object = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(origin);
  await page.waitForURL("**/login");
  await enter(page, email, "wrong");
  await page.getByText("Email or password is wrong.").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  await page.getByLabel("Password").fill("s");
  await page.getByText("Email or password is wrong.").waitFor({ state: "detached" });
  await enter(page, email, "secret");
  await rows(page).first().waitFor();
  return page;
}

async function enter(page: Page, email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

const rows = (page: Page) => page.getByRole("list", { name: "All meetings" }).getByRole("listitem");
const isLive = (page: Page) => page.getByText("Live", { exact: true }).waitFor();
const countOf = (page: Page, count: number) =>
  expect.poll(() => rows(page).count(), { timeout: 60_000, interval: 50 }).toBe(count);

/** Fails at the first complaint of the page at the end of the test. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

test("a tenant keeps its client, gets another one for a new token, and loses one that is not used", () => {
  vi.useFakeTimers();
  vi.stubEnv("NOTETAKER_BASE_URL", "http://127.0.0.1:1/v1");
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const acme = { id: "acme", name: "Acme", token: "one", webhookSecret: "" };
  const first = notetakerOf(acme);
  expect(notetakerOf({ ...acme, id: "globex" })).not.toBe(first);
  vi.advanceTimersByTime(590_000);
  expect(notetakerOf(acme)).toBe(first);
  const second = notetakerOf({ ...acme, token: "two" });
  expect(second).not.toBe(first);
  vi.advanceTimersByTime(590_000);
  expect(notetakerOf({ ...acme, token: "two" })).toBe(second);
  vi.advanceTimersByTime(610_000);
  expect(notetakerOf({ ...acme, token: "two" })).not.toBe(second);
});

describe("the Next.js application", () => {
  test("builds without a token and a complaint, and has no zod in the scripts of its pages", () => {
    expect(built).toMatch(/◐ \/\s/);
    expect(built).not.toMatch(/error|warn/i);
    const chunks = readdirSync(join(folder, ".next/static"), { recursive: true, encoding: "utf8" });
    const scripts = chunks.filter((name) => name.endsWith(".js"));
    const texts = scripts.map((name) => readFileSync(join(folder, ".next/static", name), "utf8"));
    // The control: the library is in them.
    expect(texts.filter((text) => /last-event-id/i.test(text)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => /\$Zod|ZodMini|_zod\b/.test(text))).toEqual([]);
  });

  test("lists, searches, sends a bot, uploads, shares and shows a meeting, live and each tenant for itself", async (context) => {
    const browser = await launchBrowser(context);
    const { service, origin, server } = await started();
    const acme = service.as("token-of-acme");
    const page = await logIn(browser, origin, "ada@acme.example");
    const complaints = complaintsOf(page);
    await isLive(page);
    await countOf(page, 8);

    // Search and more.
    const more = page.getByRole("button", { name: "Load more" });
    const focused = () =>
      page.evaluate(() => [...document.querySelectorAll("#meetings a")].indexOf(document.activeElement as Element));
    await more.press("Enter");
    await countOf(page, 16);
    await expect.poll(focused).toBe(8);
    await more.press("Enter");
    await countOf(page, 20);
    await expect.poll(focused).toBe(16); // there is no more, and no button
    await page.getByLabel("Search meetings").fill("acme 13");
    await countOf(page, 1);
    await page.reload();
    expect(await page.getByLabel("Search meetings").inputValue()).toBe("acme 13");
    await page.getByLabel("Search meetings").fill("nonsense");
    await page.getByText("No meeting matches “nonsense”.").waitFor();
    for (const way of ["Meetings", "‹ All meetings"]) {
      await page.getByLabel("Search meetings").fill("acme 13");
      await countOf(page, 1);
      if (way !== "Meetings") await rows(page).first().getByRole("link").click();
      await page.getByRole("link", { name: way, exact: true }).click();
      await countOf(page, way === "Meetings" ? 8 : 1);
      await page.waitForTimeout(500); // longer than a search waits
      const kept = way === "Meetings" ? [`${origin}/`, ""] : [`${origin}/?search=acme+13`, "acme 13"];
      expect([page.url(), await page.getByLabel("Search meetings").inputValue()]).toEqual(kept);
    }
    await page.goto(`${origin}/login`); // needs none
    expect(page.url()).toBe(`${origin}/`);
    const stranger = await fetch(origin, { redirect: "manual" });
    expect([stranger.status, stranger.headers.get("location")]).toEqual([307, expect.stringMatching(/\/login$/)]);
    await page.reload(); // Next.js keeps the page of a meeting, hidden
    await countOf(page, 8);

    // A bot: what was typed stays after a refusal; no event says that it is listed, or that it failed.
    const field = page.getByLabel("Send a bot");
    const send = page.getByRole("button", { name: "Send bot" });
    await field.fill("see you at ten");
    await send.click();
    await page.getByText("There is no link in it.").waitFor();
    expect(await field.inputValue()).toBe("see you at ten");
    await field.press("!");
    await page.getByText("There is no link in it.").waitFor({ state: "detached" });
    acme.faults.next("POST /meetings/bot", "malformed");
    await field.fill("Rejoindre : https://meet.google.com/abc-defg-hij Par téléphone : https://tel.meet/abc-defg-hij");
    await send.click();
    await page.getByText(/do not send it again|may be on its way/).waitFor();
    await send.click();
    await page.getByText("It asks to be let in.").waitFor();
    expect(await field.inputValue()).toBe("");
    await service.clock.advance(5_000);
    const bot = rows(page).filter({ hasText: "Google Meet call" }).first();
    await bot.filter({ hasText: "Bot on its way" }).waitFor();
    await page.getByText("It asks to be let in.").waitFor({ state: "detached" });
    const botId = (await bot.getByRole("link").getAttribute("href"))?.split("/").at(-1) as string;
    await acme.meetings.fail(botId);
    await bot.filter({ hasText: "Not recorded" }).click();
    await page.getByText("This meeting was not recorded.").waitFor();
    expect(await page.getByRole("button", { name: "Share", exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "Send a bot again" }).click();
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

    // An upload.
    const recording = { name: "Team.wav", mimeType: "audio/wav", buffer: Buffer.from(toneWav(40)) };
    const file = page.getByLabel("Upload a recording");
    await file.setInputFiles({ ...recording, buffer: Buffer.alloc(0) });
    await page.getByText("This file is empty.").waitFor();
    acme.faults.next("PUT /meetings/upload", { delayMs: 600_000 });
    await file.setInputFiles({ ...recording, name: "Cancelled.wav" });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You cancelled the upload.").waitFor();
    acme.faults.clear(); // the page may have cancelled before the service saw the request
    await file.setInputFiles(recording);
    await page.getByText("Team.wav is uploaded.").waitFor();

    // An event reaches the pages of its tenant alone.
    const other = await logIn(browser, origin, "grace@globex.example");
    await isLive(other);
    expect(await rows(other).allTextContents()).toEqual([expect.stringContaining("globex 0")]);
    let heard = 0;
    other.on("request", (request) => {
      // What links fetch in advance is no answer to an event.
      const isAhead = Object.keys(request.headers()).some((name) => /^next-router-.*prefetch$/.test(name));
      if (request.url().includes("_rsc") && !isAhead) heard += 1;
    });
    const { id = "" } = acme.meetings.list().find(({ title }) => title === "Team.wav") ?? {};
    await acme.meetings.transcribe(id);
    await rows(page).filter({ hasText: "Team.wav" }).filter({ hasNotText: "In progress" }).waitFor();
    expect(heard).toBe(0);
    expect((await other.goto(`${origin}/meetings/${id}`))?.status()).toBe(404);
    await other.getByText("There is no such meeting.").waitFor();
    expect(await other.getByText("Team.wav").count()).toBe(0);
    const hook = { kind: "meeting.transcript_ready", meetingId: "mtg_acme_1", secret: "whsec_acme" } as const;
    const [forged] = (await sendEvent(`${origin}/api/hooks/globex`, hook)).attempts;
    expect(forged?.status).toBe(401);

    // The meeting: a click on a time counts as soon as the recording has its link, and a new link keeps the place.
    acme.faults.next("GET /meetings/:id/recording", { delayMs: 1_500 });
    await rows(page).filter({ hasText: "Team.wav" }).getByRole("link").click();
    await page.getByRole("heading", { name: "Team.wav", level: 1 }).waitFor();
    await page
      .getByRole("button", { name: /^Play from/ })
      .nth(2)
      .click();
    await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 5);
    await page.waitForFunction(() => (document.querySelector("video")?.textTracks[0]?.cues?.length ?? 0) > 0);
    const link = await page.locator("video").getAttribute("src");
    await page.locator("video").dispatchEvent("error");
    await page.waitForFunction((link) => document.querySelector("video")?.getAttribute("src") !== link, link);
    await page.waitForFunction(() => {
      const { currentTime = 0, paused } = document.querySelector("video") ?? {};
      return currentTime > 5 && !paused;
    });
    await acme.meetings.summarise(id);
    await page.getByRole("region", { name: "Summary" }).locator("p:not([role])").waitFor();
    expect(await page.getByRole("heading", { name: "Summary" }).count()).toBe(1);
    expect(await page.getByRole("heading", { name: "Team.wav" }).count()).toBe(1);
    const before = acme.requests.length;
    await acme.webhooks.send("meeting.transcript_ready", "mtg_acme_2"); // of another meeting
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByText("Everybody at Acme, and nobody else.").waitFor();
    expect(acme.requests.slice(before).map(({ route }) => route)).toEqual(["GET /meetings/{meeting_id}/permissions"]);
    const address = page.getByLabel("Address of a colleague");
    await address.fill("nobody");
    await address.press("Enter");
    await page.getByText("Write one address").waitFor();
    expect(await address.inputValue()).toBe("nobody");
    await address.fill("grace@acme.example");
    acme.faults.next("POST /meetings/:id/permissions", { status: 403 });
    await address.press("Enter");
    await page.getByText("Your account may not do this").waitFor();
    expect(await address.inputValue()).toBe("grace@acme.example");
    await address.press("Enter");
    await page.getByRole("button", { name: "Revoke: grace@acme.example" }).click();
    await page.getByText("Everybody at Acme, and nobody else.").waitFor();
    expect(await address.inputValue()).toBe("");
    await page.getByRole("button", { name: "Share with a link" }).click();
    expect(await page.getByLabel("Link to share").inputValue()).toContain(id);
    await page.getByRole("button", { name: "Revoke: Anyone with the link" }).click();
    await page.getByText("Everybody at Acme, and nobody else.").waitFor();
    await page.keyboard.press("Escape");
    expect(complaints).toEqual([]);

    // Who logs out hears nothing more, on no page, and a session cannot be made up.
    const open = await browser.newPage({ storageState: await page.context().storageState() });
    await open.goto(`${origin}/meetings/mtg_acme_1`);
    await isLive(open);
    await open.context().clearCookies();
    const events = (cookie: string) => fetch(`${origin}/api/events`, { headers: { cookie: `session=${cookie}` } });
    const [session] = (await page.context().cookies()).filter(({ name }) => name === "session");
    const stream = (await events(session?.value ?? "")).body?.getReader();
    await page.route("**", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("You may still be logged in.").waitFor();
    const { y = 0 } = (await page.getByText("You may still be logged in.").boundingBox()) ?? {};
    expect(y, "it leaves the player free").toBeGreaterThan((page.viewportSize()?.height ?? 0) / 2);
    await page.unrouteAll();
    complaints.length = 0;
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/login");
    await page.waitForLoadState("networkidle");
    expect(complaints).toEqual([]);
    while (!(await stream?.read())?.done);
    await open.getByRole("link", { name: "Log in again" }).click();
    await enter(open, "ada@acme.example", "secret");
    await open.getByRole("heading", { name: "acme 1", level: 1 }).waitFor();
    await isLive(open);
    const [until] = decodeURIComponent(session?.value ?? "").split("|");
    expect((await events(encodeURIComponent(`${until}|ada@acme.example|${"x".repeat(43)}`))).status).toBe(403);
    const unknown = { method: "PUT", body: "RIFF" };
    expect((await fetch(`${origin}/api/recordings`, unknown)).status).toBe(401);

    // The other page listens; its stream ends on SIGTERM. Next.js may wait for other connections that the browser keeps.
    // 143 is how it says that it ended.
    await other.goto(origin);
    await isLive(other);
    const stopped = server.stop();
    await other.getByText("Reconnecting …").waitFor();
    await browser.close();
    expect(await stopped).toBe(143);
  });

  test("keeps what a page shows and what was typed, without the network, the service or a token", async (context) => {
    const browser = await launchBrowser(context);
    const { service, origin, close } = await started();
    const acme = service.as("token-of-acme");
    const page = await logIn(browser, origin, "ada@acme.example");
    await isLive(page);
    await countOf(page, 8);
    const alert = (text: string) => page.getByRole("alert").filter({ hasText: text }).waitFor();
    const event = (id: string) => acme.webhooks.send("meeting.transcript_ready", id);

    acme.faults.next("GET /meetings", { status: 429, retryAfterSeconds: 30, times: 1_000 });
    await event("mtg_acme_1");
    await alert("Too many requests. Try again in 30 s.");
    await countOf(page, 8);
    acme.faults.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").filter({ hasText: "Too many" }).waitFor({ state: "detached" });

    // The rows of a page that could not be read take no focus when they come later.
    acme.faults.next("GET /meetings", { status: 429, retryAfterSeconds: 30, times: 1_000 });
    await page.getByRole("button", { name: "Load more" }).click();
    await alert("Too many requests.");
    acme.faults.clear();
    await page.getByLabel("Search meetings").focus();
    await event("mtg_acme_2");
    await countOf(page, 16);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Search meetings");
    await page.goto(origin);
    await isLive(page);
    await countOf(page, 8);

    await page.context().setOffline(true);
    await page.getByText("Offline", { exact: true }).waitFor();
    await page.getByLabel("Send a bot").fill("https://zoom.us/j/123456789");
    await page.getByRole("button", { name: "Send bot" }).click();
    await alert("You are offline. Nothing was sent.");
    await page.getByLabel("Upload a recording").setInputFiles({ name: "a.wav", mimeType: "", buffer: Buffer.alloc(1) });
    await expect.poll(() => page.getByText("You are offline. Nothing was sent.").count()).toBe(2);
    expect(await page.getByRole("button", { name: "Log out" }).isDisabled()).toBe(true);
    await rows(page).first().getByRole("link").click({ force: true }); // it is disabled
    await page.getByLabel("Search meetings").fill("acme 1");
    await page.getByText("This searches as soon as you are back.").waitFor();
    await countOf(page, 8);
    await page.context().setOffline(false);
    await isLive(page);
    expect(await page.getByText("You are offline.").count()).toBe(0);
    expect(await page.getByLabel("Send a bot").inputValue()).toBe("https://zoom.us/j/123456789");
    await countOf(page, 8); // "acme 1", "acme 10" and more
    await page.getByLabel("Search meetings").fill("acme 12");
    await countOf(page, 1);

    // What nobody has: a made-up id, and counts.
    for (const path of ["nonsense", "mtg_globex_0", "..%2F..%2Fapi"]) {
      expect((await page.goto(`${origin}/meetings/${path}`))?.status()).toBe(404);
      await page.getByText("There is no such meeting.").waitFor();
    }
    await page.goto(`${origin}/nowhere`);
    await page.getByText("There is no such page.").waitFor();
    for (const [query, shown] of Object.entries({ "count=nonsense": 8, "count=-3": 1, "count=2.5": 2 })) {
      await page.goto(`${origin}/?${query}`);
      await countOf(page, shown);
    }

    await page.goto(`${origin}/meetings/mtg_acme_1`);
    await page.getByRole("button", { name: "Play from 0:00" }).waitFor();
    await isLive(page);
    const [refused] = ["token-of-acme"];
    service.revokeToken(refused as string);
    await sendEvent(`${origin}/api/hooks/acme`, {
      kind: "meeting.transcript_ready",
      meetingId: "mtg_acme_1",
      secret: "whsec_acme",
    });
    await alert("The service refuses this account.");
    expect(await page.getByRole("button", { name: "Play from 0:00" }).count()).toBe(1);
    await close();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.locator("dialog").getByText("The service does not answer.").waitFor();
    expect(
      await page
        .locator("dialog")
        .getByText(/Everybody|link/)
        .count(),
    ).toBe(0);
    await page.locator("dialog").getByRole("button", { name: "Try again" }).waitFor();
    // Another failure than "not found" is the page's, which can try again.
    expect((await page.reload())?.status()).toBe(200);
    await alert("The service does not answer.");
  });

  test("its own tests pass", async () => {
    expect(await run(folder, process.execPath, join(folder, "node_modules/vitest/vitest.mjs"), "run")).toMatch(
      /4 passed/,
    );
  });

  test.skipIf(!hasPostgres)("searches what was said, each tenant for itself, and opens the second", async (context) => {
    const browser = await launchBrowser(context);
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const DATABASE_URL = `postgres://tester@127.0.0.1:${postgres.pool().options.port}/postgres`;
    const { origin, url } = await started({ DATABASE_URL });
    await startProgram(folder, "archive.ts", { ...env, NOTETAKER_BASE_URL: url, DATABASE_URL }, /^/);
    const places = (page: Page) => page.getByRole("list", { name: "Places" }).getByRole("link");
    for (const [email, title] of [
      ["grace@globex.example", /^globex 0/],
      ["ada@acme.example", /^acme \d/],
    ] as const) {
      const page = await logIn(browser, origin, email);
      const search = async () => {
        await page.goto(`${origin}/search?q="behind+a+flag"`);
        return places(page).allTextContents();
      };
      // The meetings are read one after another.
      await expect.poll(search, { timeout: 120_000, interval: 1_000 }).not.toEqual([]);
      for (const text of await search()) expect(text).toMatch(title);
      expect(await violationsOf(page)).toEqual([]);
      await places(page).first().click();
      await page.waitForFunction(() => document.querySelector("video")?.currentTime === 6);
      await page.locator("li[aria-current]").getByText("behind a flag").waitFor();
    }
  });

  /** With SCREENSHOTS=FOLDER, the pictures are kept there; docs/nextjs.png is one of them. */
  test("fits 390 to 1,280 pixels in light and dark, and axe-core finds no violation", async (context) => {
    const browser = await launchBrowser(context);
    const port = await freePort();
    const emulated = { ...env, PORT: String(port), EMULATOR_PORT: "0" };
    const service = await startProgram(folder, "emulator.ts", emulated);
    const { origin } = await startNext("start", port, `${service.url}/v1`);
    for (const [width, colorScheme] of [
      [1280, "light"],
      [768, "dark"],
      [390, "dark"],
    ] as const) {
      const page = await logIn(browser, origin, "ada@acme.example", { viewport: { width, height: 860 }, colorScheme });
      const look = async (name: string) => {
        // Next.js streams the title after the page.
        await page.waitForFunction(() => document.title !== "");
        expect(await violationsOf(page), `${name} ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        const pictures = process.env.SCREENSHOTS;
        if (pictures) await page.screenshot({ path: join(pictures, `nextjs-${name}-${width}.png`) });
      };
      await isLive(page);
      await page
        .getByLabel("Send a bot")
        .fill(`https://teams.microsoft.com/l/meetup-join/${"19%3ameeting_".repeat(16)}`);
      await look("list");
      await rows(page).first().getByRole("link").press("Enter");
      await page.getByRole("button", { name: "Play from 0:00" }).waitFor();
      await page.locator("video").waitFor();
      await look("meeting");
      if (process.env.SCREENSHOTS) {
        await page.mouse.wheel(0, 300);
        await page.waitForTimeout(300);
        await look("scrolled");
        await page.evaluate(() => scrollTo(0, 0));
      }
      const topOf = async (name: "heading" | "button") =>
        (
          await page
            .getByRole(name, { name: name === "button" ? "Share" : /.*/ })
            .first()
            .boundingBox()
        )?.y ?? 0;
      expect(Math.abs((await topOf("heading")) - (await topOf("button")))).toBeLessThan(16);
      await page.getByRole("button", { name: "Share", exact: true }).press("Enter");
      await page.getByText("Everybody at Acme, and nobody else.").waitFor();
      await look("share");
      await page.close();
    }
  });

  test("runs under next dev with its own emulator: a bot becomes a meeting without a reload", async (context) => {
    const browser = await launchBrowser(context);
    const port = await freePort();
    const emulated = { ...env, PORT: String(port), EMULATOR_PORT: "0" };
    const service = await startProgram(folder, "emulator.ts", emulated);
    const { origin, server } = await startNext("dev", port, `${service.url}/v1`);
    const page = await logIn(browser, origin, "ada@acme.example");
    const complaints = complaintsOf(page);
    await isLive(page);
    // Compiles the webhook's route, which may take longer than a delivery waits.
    await fetch(`${origin}/api/hooks/acme`, { method: "POST" });
    await page.getByLabel("Send a bot").fill("https://zoom.us/j/123456789");
    await page.getByRole("button", { name: "Send bot" }).click();
    const bot = rows(page).first().filter({ hasNotText: "Weekly product sync" });
    await bot
      .filter({ hasNotText: /on its way|In progress/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Play from 0:00" }).click();
    await page.waitForFunction(() => document.querySelector("video")?.paused === false);
    await page.getByRole("link", { name: "All meetings" }).click();
    await rows(page).first().waitFor();
    // Next.js keeps the page that was left, hidden.
    await page.waitForFunction(() => document.querySelector("video")?.paused ?? true);
    expect(complaints).toEqual([]);
    expect(server.output()).not.toMatch(/⨯|Error/);
  });
});
