/**
 * Uploads through `xhrFetch` in Chromium, to a server that reads slowly, refuses, redirects, stalls or closes the
 * connection.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./launch-browser.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FILE_BYTES = 24 * 1024 * 1024;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}/test/browser/xhr-page.ts`],
    bundle: true,
    format: "esm",
    platform: "browser",
    tsconfig: `${root}/tsconfig.json`,
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

interface Arrival {
  readonly behaviour: string;
  readonly headers: IncomingMessage["headers"];
  bytes: number;
  ended: boolean;
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const refusal = (code: string) => ({ error: { code, message: "no" } });

/** Reads the whole body, and pauses for `pauseMs` after each 2 MB. */
async function read(request: IncomingMessage, arrival: Arrival, pauseMs: number) {
  let mark = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    arrival.bytes += chunk.byteLength;
    if (pauseMs === 0 || arrival.bytes < mark) continue;
    mark = arrival.bytes + 2_000_000;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  arrival.ended = true;
}

test("an upload through xhrFetch reports its progress, and has the same results as through fetch", async (context) => {
  const arrivals: Arrival[] = [];
  let busy = 0;
  const program = await bundled();
  const server = createServer(async (request, response) => {
    if (request.url === "/") return response.end('<!doctype html><script type="module" src="/page.js"></script>');
    if (request.url === "/page.js") return response.setHeader("content-type", "text/javascript").end(program);
    const behaviour = request.url?.split("/")[1] ?? "";
    const arrival: Arrival = { behaviour, headers: request.headers, bytes: 0, ended: false };
    arrivals.push(arrival);
    if (behaviour === "stall") return;
    if (behaviour === "drop") return request.once("data", () => request.socket.destroy());
    await read(request, arrival, behaviour === "slow" ? 60 : 0).catch(() => {});
    if (behaviour === "refuse") return json(response, 400, refusal("bad_request"));
    if (behaviour === "redirect") return response.writeHead(307, { location: "/plain/v1/meetings/upload" }).end();
    if (behaviour === "busy-once" && busy++ === 0) {
      return json(response, 429, refusal("rate_limited"), { "retry-after": "0" });
    }
    if (request.url?.endsWith("/rooms")) return json(response, 200, { data: [], next_cursor: null, has_more: false });
    return json(response, 200, { id: "mtg_up1", status: "processing" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const browser = await launchBrowser(context);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => "done" in globalThis);
  const seen = await page.evaluate(() => (globalThis as { done?: Promise<unknown> }).done);

  const accepted = { id: "mtg_up1", status: "processing" };
  const complete = { sentBytes: FILE_BYTES, totalBytes: FILE_BYTES };
  expect(complaints).toEqual([]);
  expect(seen).toEqual({
    slow: {
      result: accepted,
      isSorted: true,
      between: expect.any(Number),
      first: { sentBytes: 0, totalBytes: FILE_BYTES },
      last: complete,
    },
    stream: expect.objectContaining({ result: accepted, first: { sentBytes: 0 }, last: complete }),
    again: expect.objectContaining({ result: accepted, isSorted: true, last: complete }),
    refused: expect.objectContaining({ name: "BadRequestError", outcome: "rejected", attempts: 1 }),
    lost: expect.objectContaining({ name: "ConnectionError", outcome: "unknown", attempts: 1 }),
    redirected: {
      name: "ConnectionError",
      outcome: "unknown",
      attempts: 1,
      message: expect.stringContaining("XMLHttpRequest followed a redirect"),
    },
    stalled: expect.objectContaining({ name: "TimeoutError", outcome: "unknown" }),
    aborted: true,
    thrown: true,
    throughMiddleware: accepted,
    rooms: expect.objectContaining({ name: "none" }),
    xhrsOfReading: 0,
    response: { status: 200, type: "application/json" },
  });
  // With `fetch`, a page would report no progress.
  expect((seen as { slow: { between: number } }).slow.between).toBeGreaterThan(1);

  const uploads = (behaviour: string) => arrivals.filter((arrival) => arrival.behaviour === behaviour);
  expect(uploads("slow").map(({ ended }) => ended)).toEqual([true, false, false]);
  expect(uploads("slow")[0]).toMatchObject({ bytes: FILE_BYTES, headers: { authorization: "Bearer tok_page" } });
  expect(uploads("busy-once").map(({ bytes }) => bytes)).toEqual([FILE_BYTES, FILE_BYTES]);
  expect(uploads("plain").some(({ headers }) => headers["x-traced"] === "yes")).toBe(true);
});
