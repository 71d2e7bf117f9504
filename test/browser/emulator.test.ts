import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./launch-browser.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const msw = dirname(createRequire(import.meta.url).resolve("msw/package.json"));

/** Bundles the page's program into one script. A Node module in it would fail the build. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/browser/page.ts")],
    bundle: true,
    format: "esm",
    platform: "browser",
    tsconfig: join(root, "tsconfig.json"),
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

test("the client talks to the emulator in Chromium, through msw's worker", async (context) => {
  const files: Record<string, [type: string, content: string]> = {
    "/": ["text/html", '<!doctype html><script type="module" src="/page.js"></script>'],
    "/page.js": ["text/javascript", await bundled()],
    "/mockServiceWorker.js": ["text/javascript", readFileSync(join(msw, "lib/mockServiceWorker.js"), "utf8")],
  };
  const server = createServer((request, response) => {
    const file = files[request.url ?? ""];
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.[0] ?? "text/plain" }).end(file?.[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const browser = await launchBrowser(context);

  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => "done" in globalThis);
  const seen = await page.evaluate(() => (globalThis as { done?: Promise<unknown> }).done);

  expect(complaints).toEqual([]);
  expect(seen).toEqual({
    rooms: ["Product: 3", "Customer research: 2", "Engineering: 2", "Hiring: 1", "Company planning: 1"],
    transcript: true,
    recording: true,
    notFound: "NotFoundError",
    drop: "ConnectionError",
    truncate: "ConnectionError",
    html: "ServerError",
    timeout: "TimeoutError",
    aborted: true,
    retried: 1,
    retryAfterMs: 7_000,
    delivered: ["meeting.transcript_ready", "meeting.initial_summary_ready"],
  });
});
