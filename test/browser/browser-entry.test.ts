/** `notetaker-sdk/browser` in Chromium: the page, its own server, and the service. */
import type { ServerResponse } from "node:http";
import { errorResponse, Notetaker } from "notetaker-sdk";
import { toNodeListener } from "notetaker-sdk/node";
import { createRelay } from "notetaker-sdk/webhooks";
import { expect, test } from "vitest";
import { held } from "../support/held.js";
import { httpServer } from "../support/servers.js";
import { eventOf } from "../webhooks/events.js";
import { resultOf, servePage } from "./launch-browser.js";

test("uploadFile reports real progress and the server's errors, its abort reaches the service, and subscribe reconnects", async (context) => {
  // The page asks for these moments.
  const reached = held();
  const aborted = held();
  let bytes = 0;
  const service = await httpServer(async (request, response) => {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const title = new URL(request.url ?? "", "http://service").searchParams.get("title");
    if (title === "abort") {
      request.once("data", reached.release).on("error", () => {});
      return request.once("close", aborted.release);
    }
    let mark = 2_000_000;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes < mark) continue;
      mark = bytes + 2_000_000;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    if (title === "slow") return json(200, { id: "mtg_up1", status: "processing" });
    return json(422, { detail: [{ loc: ["query", "title"], msg: "too short", type: "string_too_short" }] });
  });

  const notetaker = new Notetaker({ baseUrl: `${service}/v1`, token: "tok_server" });
  const upload = toNodeListener(async ({ url, body, headers, signal }) => {
    const title = new URL(url).searchParams.get("title") ?? undefined;
    const input = { title, contentType: headers.get("content-type") ?? undefined };
    return notetaker.meetings
      .upload(body ?? new Blob(), input, { signal })
      .then((meeting) => Response.json(meeting), errorResponse);
  });
  const relay = createRelay({ authorize: () => true, retryMs: 250 });
  const streams: ServerResponse[] = [];
  const events = toNodeListener(async (request) => {
    const answer = await relay.handle(request);
    if (streams.length === 2) await relay.publish(eventOf(1));
    return answer;
  });
  const url = await servePage("browser-page.ts", async (request, response) => {
    if (request.url === "/reached") return reached.promise.then(() => response.end());
    if (request.url === "/aborted") return aborted.promise.then(() => response.end());
    if (request.url === "/lose") {
      const [, stream] = streams;
      stream?.destroy();
      await relay.publish(eventOf(2));
      return response.end();
    }
    if (request.url?.endsWith("title=lost")) return request.once("data", () => request.socket.destroy());
    if (request.url !== "/events") return upload(request, response);
    streams.push(response);
    if (streams.length === 1) return response.writeHead(502).end();
    return events(request, response);
  });
  expect(await resultOf(context, url)).toEqual({
    result: { id: "mtg_up1", status: "processing" },
    isSorted: true,
    isGradual: true,
    last: 1,
    refused: expect.objectContaining({
      isInvalid: true,
      name: "InvalidRequestError",
      outcome: "rejected",
      status: 422,
      issues: [expect.objectContaining({ msg: "too short" })],
    }),
    lost: expect.objectContaining({ name: "ConnectionError", outcome: "unknown" }),
    aborted: true,
    heard: ["mtg_1", "mtg_2"],
    reconnections: 2,
    first: 502,
  });
});
