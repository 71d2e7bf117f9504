/** The Next.js app, built and started as a user does it. The emulator's log shows which requests were sent. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { promisify } from "node:util";
import { Notetaker } from "notetaker-sdk";
import { aMeeting, aRoom, aWebhook, createEmulator } from "notetaker-sdk/testing";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { freePort } from "../../test/support/free-port.js";
import { examples, programOf, recipeFolder } from "./support/run-folder.js";
import { plainEnvironment, startServer } from "./support/server-process.js";

const NEXT = programOf("next/dist/bin/next");
const SECRET = "whsec_of_the_next_app";
const env = { ...plainEnvironment(), NEXT_TELEMETRY_DISABLED: "1" } as Record<string, string>;

/** The packages are outside of the app, and one is a link, so the app's root has to be the root of the file system. */
const fileSystem = JSON.stringify(parse(examples).root);
const CONFIG = `export default { turbopack: { root: ${fileSystem} }, outputFileTracingRoot: ${fileSystem} };`;

/**
 * Writes and reads again in one render, and requests the same list twice: once with the client, once with a plain
 * \`fetch\`, which Next.js memoizes.
 */
const PROBE = `
  import { connection } from "next/server";
  import { notetaker } from "../../lib/notetaker";

  export default async function Probe() {
    await connection();
    const { settings, webhooks } = notetaker();
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

let folder: string;

/** The build runs without the service's variables, since a build has no token. */
beforeAll(async () => {
  folder = recipeFolder("nextjs");
  writeFileSync(join(folder, "next.config.mjs"), CONFIG);
  mkdirSync(join(folder, "app/probe"));
  writeFileSync(join(folder, "app/probe/page.tsx"), PROBE);
  const built = await promisify(execFile)(process.execPath, [NEXT, "build"], {
    cwd: folder,
    env,
  });
  expect(built.stdout).toMatch(/ƒ \/api\/notetaker/);
});

/** The started app, with an account of 25 rooms whose webhook points to the app. */
async function started() {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const rooms = Array.from({ length: 25 }, (_, index) =>
    aRoom({ title: `Room ${index}`, meetings: [aMeeting({ id: `mtg_${index}`, title: `Meeting ${index}` })] }),
  );
  const webhook = aWebhook({ url: `${origin}/api/notetaker`, secret: SECRET });
  const service = createEmulator({ seed: { rooms, webhooks: [webhook] } });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const { port } = new URL(origin);
  const server = await startServer([NEXT, "start", "-H", "127.0.0.1", "-p", port], {
    cwd: folder,
    url: `${origin}/favicon.ico`,
    env: {
      ...env,
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: service.token,
      NOTETAKER_WEBHOOK_SECRET: SECRET,
    },
  });
  const sent = (route: string) => service.requests.filter((request) => request.route === route).length;
  const read = async (path: string) => (await fetch(`${origin}${path}`)).text();
  return { origin, service, server, sent, read };
}

describe("a Next.js app", () => {
  test("sends every attempt, caches a list until a webhook arrives, and reads fresh data after a write", async () => {
    const { service, sent, read } = await started();

    service.faults.next("GET /rooms", { status: 503, retryAfterSeconds: 0, times: 2 });
    expect(await read("/")).toContain("Meeting 19");
    expect(service.requests.map(({ status }) => status)).toEqual([503, 503, 200]);

    expect(await read("/")).toContain("Meeting 19");
    expect(sent("GET /rooms")).toBe(3);
    await service.webhooks.send("meeting.transcript_ready", "mtg_1");
    expect(service.webhooks.deliveries.map(({ state }) => state)).toEqual(["delivered"]);
    await read("/");
    expect(sent("GET /rooms")).toBe(4);

    expect(await read("/probe")).toContain("probe MANUAL then JOIN_AS_HOST");
    expect(sent("GET /settings/notetaker-automation")).toBe(2);
    expect(sent("GET /webhooks")).toBe(2);
    // The control: requests that the client does not send are sent once per render.
    expect(sent("GET /meetings/upcoming")).toBe(1);
  });

  test("sends every poll of a wait, and streams the transcript when it is ready", async () => {
    const { service, sent, read } = await started();
    const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
    const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/123456789" });

    const page = read(`/meetings/${meeting_id}`);
    await vi.waitUntil(() => sent("GET /meetings") >= 3, { timeout: 60_000 });
    await service.meetings.finish(meeting_id);
    const transcript = await notetaker.meetings.getTranscript(meeting_id);
    expect(await page).toContain(transcript.segments[0]!.text.split("'")[0]);
  });

  test("passes a page as plain data to a client component, and shares a meeting with a server action", async (context) => {
    const browser = await launchBrowser(context);
    const { origin, service, sent, server } = await started();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));

    await page.goto(origin);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Meeting 24" }).waitFor();
    expect(await page.getByRole("link").count()).toBe(25);
    expect(sent("GET /rooms")).toBe(2);

    await page.getByRole("link", { name: "Meeting 24" }).click();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Anyone with the link").waitFor();
    expect(service.requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { recipient: { type: "anyone" }, role: "read" },
    ]);
    expect(complaints).toEqual([]);
    expect(server.output()).not.toContain("Error");
  });
});
