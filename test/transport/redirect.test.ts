/** A redirect would send the token to another URL, so it is refused and not followed. */
import { ConnectionError } from "notetaker-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { clientAt, httpServer } from "../support/loopback.js";
import { clientOf, rejectionOf } from "../support/recorder.js";

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
      const error = await rejectionOf(ConnectionError, call());
      expect(error).toMatchObject({ retryable: false, outcome: "rejected", attempts: 1 });
    }
    expect(there).toEqual([]);
    expect(here).toEqual(["/v1/webhooks", "/v1/meetings/bot"]);
  });

  it("is refused if a custom fetch returns it", async () => {
    const { notetaker, seen } = clientOf(
      () => new Response("moved", { status, headers: { location: "https://evil.example" } }),
    );
    await expect(notetaker.webhooks.list()).rejects.toMatchObject({ name: "ConnectionError", retryable: false });
    expect(seen).toHaveLength(1);
  });
});

describe("a fetch that follows redirects against the client's instruction", () => {
  it("has its response refused", async () => {
    const followed = Object.defineProperty(new Response("[]"), "redirected", { value: true });
    const { notetaker } = clientOf(() => followed);
    await expect(notetaker.webhooks.list()).rejects.toMatchObject({ name: "ConnectionError", retryable: false });
  });

  it("has its response refused if the response hides its final URL", async () => {
    const hidden = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const { notetaker } = clientOf(() => hidden);
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error.message).toContain("redirect");
  });
});

describe("the error of another runtime for a redirect", () => {
  it.each([
    'UnexpectedRedirect fetching "https://a.example"',
    "unexpected redirect",
    "URI requested responds with a redirect, redirect mode is set to error: https://a.example",
  ])("is recognised: %s", async (message) => {
    const { notetaker, seen } = clientOf(() => Promise.reject(new TypeError(message)));
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect(error).toMatchObject({ retryable: false, outcome: "rejected" });
    expect(seen).toHaveLength(1);
  });
});

describe("the redirect mode of requests", () => {
  /** The mode in a runtime whose requests support the modes that `knows` names. */
  async function modeWhere(knows: "error" | "manual" | "neither"): Promise<unknown> {
    class RuntimeRequest extends Request {
      constructor(url: string, init: RequestInit) {
        if (knows === "neither" && init.redirect === "error") throw new TypeError("Invalid redirect value");
        super(url, knows === "manual" ? { redirect: "manual" } : init);
      }
    }
    vi.resetModules();
    vi.stubGlobal("Request", RuntimeRequest);
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.resetModules();
    });
    const { redirectMode } = await import("../../src/transport/fetch.js");
    const first = redirectMode();
    vi.unstubAllGlobals();
    // The mode is determined once.
    expect(redirectMode()).toBe(first);
    return first;
  }

  it.each([
    ["error", 'is "error", because requests can refuse redirects', "error"],
    ["manual", 'is "manual", because requests replace "error" with it', "manual"],
    ["neither", 'is "manual", because requests refuse "error"', "manual"],
  ] as const)("in a runtime that supports %s %s", async (knows, _, expected) => {
    expect(await modeWhere(knows)).toBe(expected);
  });
});
