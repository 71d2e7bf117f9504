/** A page of one origin that gets the events of a relay of another, in Chromium. */
import type { ServerResponse } from "node:http";
import { toNodeListener } from "notetaker-sdk/node";
import { createRelay } from "notetaker-sdk/webhooks";
import { expect, test } from "vitest";
import { httpServer } from "../support/servers.js";
import { eventOf } from "../webhooks/events.js";
import { resultOf, servePage } from "./launch-browser.js";

test("a page of another origin resumes after a lost connection, and is told why it was refused", async (context) => {
  const streams: ServerResponse[] = [];
  const page = await servePage("cross-origin-page.ts", async (request, response) => {
    if (request.url !== "/lose") return response.writeHead(404).end();
    streams[0]?.destroy();
    await relay.publish(eventOf(2));
    return response.end();
  });
  const relay = createRelay({
    authorize: ({ url, headers }) => url.endsWith("/events") && headers.get("authorization") === "Bearer page",
    cors: { origin: page },
    retryMs: 250,
  });
  const listener = toNodeListener(async (request) => {
    const response = await relay.handle(request);
    if (request.method === "GET" && streams.length === 1) await relay.publish(eventOf(1));
    return response;
  });
  const service = await httpServer((request, response) => {
    if (request.method === "GET") streams.push(response);
    return listener(request, response);
  });
  expect(await resultOf(context, `${page}/?events=${encodeURIComponent(service)}`)).toEqual({
    heard: ["mtg_1", "mtg_2"],
    states: ["connecting", "open", "waiting", "connecting", "open", "ended"],
    refused: { name: "ForbiddenError", status: 403 },
  });
});
