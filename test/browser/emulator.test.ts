import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EVENT_KINDS } from "notetaker-sdk";
import { expect, test } from "vitest";
import { httpServer } from "../support/servers.js";
import { bundled, PAGE, resultOf } from "./launch-browser.js";

const msw = dirname(createRequire(import.meta.url).resolve("msw/package.json"));

test("the client talks to the emulator in Chromium, through msw's worker", async (context) => {
  const files: Record<string, [type: string, content: string]> = {
    "/": ["text/html", PAGE],
    "/page.js": ["text/javascript", await bundled("page.ts")],
    "/mockServiceWorker.js": ["text/javascript", readFileSync(join(msw, "lib/mockServiceWorker.js"), "utf8")],
  };
  const url = await httpServer((request, response) => {
    const file = files[request.url ?? ""];
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.[0] ?? "text/plain" }).end(file?.[1]);
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
