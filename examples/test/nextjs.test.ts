/**
 * The recipe for Next.js inside the project that `create-next-app` makes, built and started as a user does it. With
 * NEXT=latest it is the newest of today; otherwise the one of the examples' lock.
 *
 * The template's own layout downloads fonts from Google in `next build`; the recipe's layout replaces it, so that the
 * build needs no network.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { aMeeting, aWebhook, createEmulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { freePort } from "../../test/support/free-port.js";
import { toneWav } from "../tour/wav.js";
import { programOf } from "./support/run-folder.js";
import { plainEnvironment, startServer } from "./support/server-process.js";

const SECRET = "whsec_of_the_next_app";
const env = { ...plainEnvironment(), NEXT_TELEMETRY_DISABLED: "1" } as Record<string, string>;
const FLAGS = "--ts --app --no-tailwind --no-eslint --no-src-dir --import-alias @/* --skip-install --disable-git --yes";

const parent = mkdtempSync(join(tmpdir(), "notetaker-next-"));
const folder = join(parent, "app");
const NEXT = join(folder, "node_modules/next/dist/bin/next");
afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: folder, env, encoding: "utf8", shell: process.platform === "win32" });

/** Writes and reads again in one render, and waits: each request has to be sent, though Next.js memoizes a \`fetch\`. */
const PROBE = `
  import { connection } from "next/server";
  import { Suspense } from "react";
  import { notetaker } from "../../lib/notetaker";

  export default function Probe({ searchParams }: { searchParams: Promise<{ wait?: string }> }) {
    return <Suspense><Answers searchParams={searchParams} /></Suspense>;
  }
  async function Answers({ searchParams }: { searchParams: Promise<{ wait?: string }> }) {
    await connection();
    const { wait } = await searchParams;
    const { settings, webhooks, meetings } = notetaker();
    if (wait) return <p>{(await meetings.waitForTranscript(wait, { pollMs: 1_000 })).segments[0]?.text}</p>;
    const before = await settings.getNotetakerAutomation();
    await settings.setNotetakerAutomation({ automation: "JOIN_AS_HOST" });
    const after = await settings.getNotetakerAutomation();
    await Promise.all([webhooks.list(), webhooks.list()]);
    const plain = () =>
      fetch(process.env.NOTETAKER_BASE_URL + "/meetings/upcoming", {
        headers: { authorization: "Bearer " + process.env.NOTETAKER_TOKEN },
      });
    await Promise.all([plain(), plain()]);
    return <p>{\`probe \${before.automation} then \${after.automation}\`}</p>;
  }
`;

let built: string;

/** The build runs without the service's variables, since a build has no token. */
beforeAll(() => {
  const create = process.env.NEXT === "latest" ? ["npx", "--yes", "create-next-app@latest"] : undefined;
  const [program, ...args] = create ?? [process.execPath, programOf("create-next-app/dist/index.js")];
  execFileSync(program as string, [...args, folder, ...FLAGS.split(" ")], { cwd: parent, env, stdio: "ignore" });
  expect(readFileSync(join(folder, "next.config.ts"), "utf8")).toContain("cacheComponents: true");
  // As the reader installs it; the packed package in place of the published one.
  const libraries = [inject("tarball"), "react-markdown"];
  run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...libraries);
  cpSync(join(folder, "node_modules/notetaker-sdk/examples/recipes/nextjs"), folder, { recursive: true });
  mkdirSync(join(folder, "app/probe"));
  writeFileSync(join(folder, "app/probe/page.tsx"), PROBE);
  built = run(process.execPath, NEXT, "build");
}, 900_000);

/** The started app, with an account of 20 meetings whose webhook points to the app. */
async function started(command: "start" | "dev" = "start") {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const meetings = Array.from({ length: 20 }, (_, index) =>
    aMeeting({ id: `mtg_${index}`, title: `Meeting ${index}`, recording: true }),
  );
  const webhook = aWebhook({ url: `${origin}/api/hooks`, secret: SECRET });
  const service = createEmulator({ seed: { meetings, webhooks: [webhook] } });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const { port } = new URL(origin);
  const server = await startServer([NEXT, command, "-H", "127.0.0.1", "-p", port], {
    cwd: folder,
    url: `${origin}/favicon.ico`,
    env: { ...env, NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token, NOTETAKER_WEBHOOK_SECRET: SECRET },
  });
  const sent = (route: string) => service.requests.filter((request) => request.route === route).length;
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  return { origin, service, close, server, sent, read };
}

describe("a Next.js app", () => {
  test("builds without a token: the first page is static around its list, and nothing is complained about", () => {
    expect(built).toMatch(/◐ \/\s/);
    expect(built).toMatch(/ƒ \/api\/events/);
    expect(built).not.toMatch(/error|warn/i);
  });

  test("has no zod in the scripts of its pages", () => {
    const chunks = readdirSync(join(folder, ".next/static"), { recursive: true, encoding: "utf8" });
    const scripts = chunks.filter((name) => name.endsWith(".js"));
    const texts = scripts.map((name) => readFileSync(join(folder, ".next/static", name), "utf8"));
    // The control: the library is in them.
    expect(texts.filter((text) => /last-event-id/i.test(text)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => /\$Zod|ZodMini|_zod\b/.test(text))).toEqual([]);
  });

  test("sends every attempt, reads the list anew for each page, and passes on an upload without a length", async () => {
    const { origin, service, sent, read } = await started();

    service.faults.next("GET /meetings", { status: 503, retryAfterSeconds: 0, times: 2 });
    expect(await read("/")).toContain("Meeting 15");
    expect(service.requests.map(({ status }) => status)).toEqual([503, 503, 200]);

    expect(await read("/")).toContain("Meeting 15");
    expect(sent("GET /meetings")).toBe(4);

    // A body without a length, as a program or a proxy sends it.
    const body = new Blob([toneWav(1)]).stream();
    const headers = { "content-type": "audio/wav" };
    const chunked = { method: "PUT", headers, body, duplex: "half" } as RequestInit;
    expect((await fetch(`${origin}/api/recordings?title=Chunked`, chunked)).status).toBe(200);

    expect(await read("/probe")).toContain("probe MANUAL then JOIN_AS_HOST");
    expect(sent("GET /settings/notetaker-automation")).toBe(2);
    expect(sent("GET /webhooks")).toBe(2);
    // The control: requests that the client does not send are sent once per render.
    expect(sent("GET /meetings/upcoming")).toBe(1);
  });

  test("sends every poll of a wait, and streams what it waits for", async () => {
    const { service, sent, read } = await started();
    const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
    const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/123456789" });
    const page = read(`/probe?wait=${meeting_id}`);
    await vi.waitUntil(() => sent("GET /meetings") >= 3, { timeout: 60_000 });
    await service.meetings.finish(meeting_id);
    const transcript = await notetaker.meetings.getTranscript(meeting_id);
    expect(await page).toContain(transcript.segments[0]?.text.split("'")[0]);
  });

  test("lists, searches, sends a bot, uploads, shows events and a meeting, and ends on SIGTERM with an open page", async (context) => {
    const browser = await launchBrowser(context);
    const { origin, service, server } = await started();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    const items = page.getByRole("list", { name: "All meetings" }).getByRole("listitem");
    await page.goto(origin);
    await page.getByText("Live", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Load more" }).click();
    await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(16);
    await page.getByLabel("Search meetings").fill("Meeting 13");
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(1);
    expect(page.url()).toContain("search=Meeting+13");
    await page.reload();
    expect(await page.getByLabel("Search meetings").inputValue()).toBe("Meeting 13");
    await page.getByLabel("Search meetings").fill("nonsense");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("No meetings.").waitFor();

    await page.goto(origin);
    await page.getByText("Live", { exact: true }).waitFor();
    const link = page.getByLabel("Link of the call");
    await link.fill("see you at ten");
    await page.getByRole("button", { name: "Send bot" }).click();
    await page.getByText("There is no link in it.").waitFor();
    expect(await link.inputValue()).toBe("see you at ten");
    await link.fill("Rejoindre : https://meet.google.com/abc-defg-hij Par téléphone : https://tel.meet/abc-defg-hij");
    await page.getByRole("button", { name: "Send bot" }).click();
    await page.getByText("The bot is on its way.").waitFor();
    expect(await link.inputValue()).toBe("");
    await page.getByRole("button", { name: "Send bot" }).click();
    await page.getByText("There is no link in it.").waitFor();
    // No event says that it is listed, or that it failed.
    await service.clock.advance(5_000);
    const bot = items.filter({ hasText: "Untitled" });
    await bot.filter({ hasText: "scheduled" }).waitFor({ timeout: 60_000 });
    await service.meetings.fail((await bot.getByRole("link").getAttribute("href"))?.split("/").at(-1) as string);
    await bot.filter({ hasText: "failed" }).waitFor({ timeout: 60_000 });
    await bot.getByRole("link").click();
    await page.getByText("It was not recorded.").waitFor();
    expect(await page.getByText("not ready yet").count()).toBe(0);
    await page.getByRole("link", { name: "All meetings" }).click();

    const recording = { name: "Team.wav", mimeType: "audio/wav", buffer: Buffer.from(toneWav(40)) };
    await page.getByLabel("Recording").setInputFiles({ ...recording, buffer: Buffer.alloc(0) });
    await page.getByText("This file is empty.").waitFor();
    service.faults.next("PUT /meetings/upload", { delayMs: 600_000 });
    await page.getByLabel("Recording").setInputFiles(recording);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You cancelled the upload.").waitFor();
    service.faults.clear(); // the page may have cancelled before the service saw the request
    expect(await page.getByLabel("Recording").inputValue()).toBe("");
    await page.getByLabel("Recording").setInputFiles(recording);
    await page.getByText("Team.wav is uploaded.").waitFor();

    // An event: the open page reads the list again.
    const { id } = service.meetings.list().find(({ title }) => title === "Team.wav") ?? { id: "" };
    await service.meetings.transcribe(id);
    await items.filter({ hasText: /Team.wav\s*completed/ }).waitFor();

    await page.locator(`a[href="/meetings/${id}"]`).click();
    await page.getByRole("heading", { name: "Team.wav" }).waitFor();
    await page.getByRole("button", { name: "00:00:00" }).click();
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) > 0);

    // The summary begins with the title, which the page has already.
    await service.meetings.summarise(id);
    await page.getByRole("heading", { level: 3 }).first().waitFor();
    expect(await page.getByRole("heading", { name: "Team.wav" }).count()).toBe(1);
    expect(complaints).toEqual([]);
    expect(server.output()).not.toMatch(/Error|⨯/);

    // The page listens; its stream must not keep the server. 143 is how Next.js says that it ended on SIGTERM.
    const before = performance.now();
    expect(await server.stop()).toBe(143);
    console.log(`next start ended ${(performance.now() - before).toFixed(0)} ms after SIGTERM, with an open page`);
  });

  test("keeps what a page shows while the service refuses to answer, and goes on when it answers", async (context) => {
    const browser = await launchBrowser(context);
    const { origin, service, close } = await started();
    const page = await browser.newPage();
    const items = page.getByRole("list", { name: "All meetings" }).getByRole("listitem");
    await page.goto(origin);
    await page.getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(8);

    service.faults.next("GET /meetings", { status: 503, retryAfterSeconds: 0, times: 1_000 });
    await page.getByRole("link", { name: "Load more" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "The service does not answer." });
    await alert.waitFor();
    expect(await items.count()).toBe(8);
    service.faults.clear();
    await service.webhooks.send("meeting.transcript_ready", "mtg_1");
    await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(16);
    expect(await alert.count()).toBe(0);

    service.faults.next("GET /meetings", { status: 429, retryAfterSeconds: 30, times: 1_000 });
    await service.webhooks.send("meeting.transcript_ready", "mtg_2");
    await page.getByText("Too many requests. Try again in 30 s.").waitFor();
    expect(await items.count()).toBe(16);
    service.faults.clear();

    await page.goto(`${origin}/meetings/mtg_1`);
    await page.getByRole("heading", { name: "Meeting 1" }).waitFor();
    await page.getByRole("button", { name: "00:00:00" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    service.faults.next("GET /meetings", { status: 503, retryAfterSeconds: 0, times: 1_000 });
    await service.webhooks.send("meeting.transcript_ready", "mtg_3");
    await alert.waitFor();
    expect(await page.getByRole("button", { name: "00:00:00" }).count()).toBe(1);
    service.faults.clear();

    for (const id of ["nonsense", "mtg_99"]) {
      await page.goto(`${origin}/meetings/${id}`);
      await page.getByText("There is no such meeting.").waitFor();
    }
    for (const [query, shown] of [
      ["count=nonsense", 8],
      ["count=-3", 1],
      ["count=2.5", 2],
      ["search=g%201&search=1", 0],
    ]) {
      await page.goto(`${origin}/?${query}`);
      await page.getByText(shown === 0 ? "No meetings." : "Load more").waitFor();
      expect(await items.count(), String(query)).toBe(shown);
    }

    // Nothing reaches a service that is stopped.
    await page.goto(origin);
    await expect.poll(() => items.count(), { timeout: 60_000 }).toBe(8);
    await close();
    await page.getByRole("link", { name: "Load more" }).click();
    await alert.waitFor();
    expect(await items.count()).toBe(8);
    await page.getByLabel("Link of the call").fill("https://zoom.us/j/123456789");
    await page.getByRole("button", { name: "Send bot" }).click();
    await page.getByRole("status").filter({ hasText: "Try again in a minute." }).waitFor();
  });

  test("shows an event to a page that was open while its files were edited under next dev", async (context) => {
    const browser = await launchBrowser(context);
    const { origin, service, server } = await started("dev");
    const page = await browser.newPage();
    let streams = 0;
    page.on("request", (request) => request.url().endsWith("/api/events") && streams++);
    await page.goto(origin);
    await page.getByText("Live", { exact: true }).waitFor();
    const announce = async (title: string) => {
      const { meetings } = new Notetaker(service.clientOptions);
      const { id } = await meetings.upload(new Uint8Array(8), { title, contentType: "audio/wav" });
      await service.meetings.transcribe(id);
      const item = page.getByRole("listitem").filter({ hasText: new RegExp(`${title}\\s*completed`) });
      await item.waitFor();
    };
    // Compiles the webhook's route, which may take longer than a delivery waits.
    await fetch(`${origin}/api/hooks`);
    await announce("Before the edit");
    const edit = (path: string, from: string, to: string) => {
      const text = readFileSync(join(folder, path), "utf8");
      expect(text).toContain(from);
      writeFileSync(join(folder, path), text.replace(from, to));
    };
    edit("lib/live.ts", 'process.once("SIGTERM"', 'process.on("SIGTERM"');
    edit("app/page.tsx", "Number(params.count)) || 8", "Number(params.count)) || 9");
    await expect.poll(() => page.getByRole("listitem").count(), { timeout: 60_000 }).toBe(9);
    await announce("After the edit");
    expect(streams).toBe(1);
    expect(server.output()).not.toMatch(/Error|⨯/);
  });
});
