/**
 * Uploads through `xhrFetch` in Chromium, to a server that reads slowly, refuses, redirects, stalls or closes the
 * connection.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { resultOf, servePage } from "./launch-browser.js";

const FILE_BYTES = 24 * 1024 * 1024;

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
  const url = await servePage("xhr-page.ts", async (request, response) => {
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
  const seen = await resultOf(context, url);

  const accepted = { id: "mtg_up1", status: "processing" };
  const complete = { sentBytes: FILE_BYTES, totalBytes: FILE_BYTES };
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
