/** docs/six-tabs.md: the tabs of one browser share one connection, and none misses an event when its reader is closed. */
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { examples } from "./support/run-folder.js";

const PROGRAM = `
  import { followTogether } from "./one-connection/one-connection.ts";
  const seen = (globalThis.seen = []);
  const { signal } = (globalThis.page = new AbortController());
  followTogether("/events", {
    signal,
    onEvent: ({ payload }) => seen.push(payload.number),
    onState: (state) => (document.title = state),
  });
`;

const event = (number: number) => ({
  kind: "meeting.transcript_ready",
  meetingId: "mtg_1" as const,
  payload: { number },
});
const seen = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen);

test("seven tabs have one connection, each sees every event, and another tab continues when the reading one is closed", async (context) => {
  const browser = await launchBrowser(context);
  const stdin = { contents: PROGRAM, resolveDir: examples, loader: "ts" as const };
  const built = await build({ stdin, bundle: true, format: "esm", write: false, absWorkingDir: join(examples) });
  const relay = createRelay({ authorize: () => true });
  const listener = toNodeListener(relay.handle);
  const resumed: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/page.js") {
      response.setHeader("content-type", "text/javascript").end(built.outputFiles[0]?.text);
    } else if (request.url === "/events") {
      resumed.push(request.headers["last-event-id"] as string | undefined);
      listener(request, response);
    } else {
      response.setHeader("content-type", "text/html");
      response.end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await relay.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };

  const tabs: Page[] = [];
  const window = await browser.newContext();
  for (let number = 0; number < 7; number++) {
    const tab = await window.newPage();
    await tab.goto(`http://127.0.0.1:${port}/`);
    await expect.poll(() => tab.title(), { timeout: 60_000 }).toBe("open");
    tabs.push(tab);
  }
  expect(resumed).toEqual([undefined]);

  const id = await relay.publish(event(1));
  for (const tab of tabs) await expect.poll(() => seen(tab), { timeout: 60_000 }).toEqual([1]);

  const [reader, ...others] = tabs;
  await reader?.close();
  await relay.publish(event(2));
  for (const tab of others) await expect.poll(() => seen(tab), { timeout: 60_000 }).toEqual([1, 2]);
  expect(resumed).toEqual([undefined, id]);
});

test("tabs whose subscriptions have ended fall silent", async (context) => {
  const browser = await launchBrowser(context);
  const stdin = { contents: PROGRAM, resolveDir: examples, loader: "ts" as const };
  const built = await build({ stdin, bundle: true, format: "esm", write: false, absWorkingDir: join(examples) });
  const window = await browser.newContext();
  // A 204: the server has no more to send.
  await window.route("https://tabs.example/events", (route) => route.fulfill({ status: 204 }));
  await window.route("https://tabs.example/page.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: built.outputFiles[0]?.text ?? "" }),
  );
  await window.route("https://tabs.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: '<!doctype html><script type="module" src="/page.js"></script>' }),
  );
  const tabs = [await window.newPage(), await window.newPage()];
  for (const tab of tabs) {
    await tab.goto("https://tabs.example/");
    await expect.poll(() => tab.title(), { timeout: 60_000 }).toBe("ended");
  }
  const messages = await tabs[0]?.evaluate(async () => {
    let count = 0;
    const channel = new BroadcastChannel("/events");
    channel.onmessage = () => (count += 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return count;
  });
  expect(messages).toBe(0);
});
