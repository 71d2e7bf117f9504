/** A redirect would send the token to another URL, so it is refused and not followed. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { clientAt, httpServer } from "../support/loopback.js";
import { clientOf, rejection } from "../support/recorder.js";

const REFUSED = { name: "ConnectionError", retryable: false, outcome: "rejected", attempts: 1 };

describe.each([300, 301, 302, 303, 307, 308])("a redirect with status %i", (status) => {
  it("is refused for reads and writes: no request goes to another server, nor a second one to the same", async () => {
    const there: unknown[] = [];
    const elsewhere = await httpServer((request, response) => {
      there.push(request.headers);
      response.end("[]");
    });
    const here: unknown[] = [];
    const origin = await httpServer((request, response) => {
      here.push(request.url);
      response.writeHead(status, { location: here.length === 1 ? `${elsewhere}/v1/webhooks` : "/v1/other" }).end();
    });
    const { webhooks, meetings } = clientAt(origin, { maxRetries: 2 });
    for (const call of [() => webhooks.list(), () => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" })]) {
      expect(await rejection(call())).toMatchObject(REFUSED);
    }
    expect(there).toEqual([]);
    expect(here).toEqual(["/v1/webhooks", "/v1/meetings/bot"]);
  });
});

describe("a redirect is refused", () => {
  const hidden = { type: { value: "opaqueredirect" }, status: { value: 0 } };
  const fail = (message: string) => () => Promise.reject(new TypeError(message));
  it.each<[string, () => Response | Promise<Response>]>([
    ["if a custom fetch returns it", () => new Response("moved", { status: 302, headers: { location: "/x" } })],
    ["if fetch has followed it", () => Object.defineProperty(new Response("[]"), "redirected", { value: true })],
    ["if the response hides its final URL", () => Object.defineProperties(new Response(null), hidden)],
    ["by Bun", fail('UnexpectedRedirect fetching "https://a.example"')],
    ["by undici", fail("unexpected redirect")],
    ["by node-fetch", fail("URI requested responds with a redirect, redirect mode is set to error: https://a.example")],
  ])("%s", async (_, answer) => {
    const { notetaker, seen } = clientOf(answer);
    expect(await rejection(notetaker.webhooks.list())).toMatchObject(REFUSED);
    expect(seen).toHaveLength(1);
  });
});

it.each([
  ["error", "supports it", "error"],
  ["manual", 'replaces "error" with it', "manual"],
  ["manual", 'refuses "error"', "neither"],
] as const)("the redirect mode of requests is %s in a runtime that %s", async (expected, _, knows) => {
  class RuntimeRequest extends Request {
    constructor(url: string, init: RequestInit) {
      if (knows === "neither" && init.redirect === "error") throw new TypeError("Invalid redirect value");
      super(url, knows === "manual" ? { redirect: "manual" } : init);
    }
  }
  vi.resetModules();
  vi.stubGlobal("Request", RuntimeRequest);
  onTestFinished(() => void vi.resetModules());
  const { redirectMode } = await import("../../src/transport/fetch.js");
  expect(redirectMode()).toBe(expected);
  vi.unstubAllGlobals();
  // The mode is determined once.
  expect(redirectMode()).toBe(expected);
});
