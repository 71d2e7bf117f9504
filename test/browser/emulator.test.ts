import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EVENT_KINDS } from "notetaker-sdk";
import { expect, test } from "vitest";
import { resultOf, servePage } from "./launch-browser.js";

const msw = dirname(createRequire(import.meta.url).resolve("msw/package.json"));

test("the client talks to the emulator in Chromium, through msw's worker", async (context) => {
  const worker = readFileSync(join(msw, "lib/mockServiceWorker.js"));
  const url = await servePage("page.ts", (request, response) => {
    const isWorker = request.url === "/mockServiceWorker.js";
    response.writeHead(isWorker ? 200 : 404, { "content-type": "text/javascript" }).end(isWorker ? worker : "");
  });
  expect(await resultOf(context, url)).toEqual({
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
    delivered: [...EVENT_KINDS],
  });
});
