/** Pages of other origins. test/browser/cross-origin.test.ts has a real page. */
import { describe, expect, it } from "vitest";
import { createRelay, type RelayOptions } from "../../../src/webhooks/relay/relay.js";

const PAGE = "https://app.example.com";
const EVIL = "https://evil.example.com";

type Init = RequestInit & Pick<Partial<RelayOptions>, "authorize"> & { from?: string | null };

/** The status of the response to a page, and its headers that are about origins. */
async function headersFor(
  origin: NonNullable<RelayOptions["cors"]>["origin"],
  { from = PAGE, authorize = () => true, ...init }: Init = {},
) {
  const relay = createRelay({ authorize, cors: { origin }, onError: () => {} });
  const headers = new Headers(init.headers);
  if (from !== null) headers.set("origin", from);
  const response = await relay.handle(new Request("https://api.example.com/events", { ...init, headers }));
  await response.body?.cancel();
  const own = [...response.headers].filter(([name]) => /^(access-control-|vary)/.test(name));
  return { status: response.status, ...Object.fromEntries(own) };
}

const ALLOWED = { "access-control-allow-origin": PAGE, "access-control-allow-credentials": "true", vary: "Origin" };

describe("a relay with cors", () => {
  it.each([
    ["its origin", PAGE],
    ["one of several", ["https://other.example.com", PAGE]],
    ["a function", (origin: string) => origin === PAGE],
    ["an async function", async (origin: string) => origin === PAGE],
  ])("lets a page read the stream that is allowed by %s, and no other page", async (_, origin) => {
    expect(await headersFor(origin)).toEqual({ status: 200, ...ALLOWED });
    for (const from of [EVIL, "https://app.example.com.evil.com", "null", null]) {
      expect(await headersFor(origin, { from })).toEqual({ status: 200, vary: "Origin" });
    }
  });

  it("lets every page read the stream with *, but without cookies", async () => {
    expect(await headersFor("*")).toEqual({ status: 200, "access-control-allow-origin": "*" });
  });

  const own = new Response("log in", { status: 401, headers: { vary: "Cookie", "access-control-allow-origin": "*" } });
  it.each<[status: number, vary: string, Init]>([
    [403, "Origin", { authorize: () => false }],
    [401, "Cookie, Origin", { authorize: () => own }],
    [302, "Origin", { authorize: () => Response.redirect("https://example.com/login", 302) }],
    [503, "Origin", { authorize: () => Promise.reject(new Error("the session store is away")) }],
    [405, "Origin", { method: "POST" }],
  ])("lets a page read why it was refused: %i", async (status, vary, init) => {
    expect(await headersFor(PAGE, init)).toEqual({ status, ...ALLOWED, vary });
  });

  it("answers the request that a browser sends before that of the page, without authorizing it", async () => {
    const preflight = { method: "OPTIONS", authorize: () => expect.fail("authorized") };
    const sent = {
      status: 204,
      ...ALLOWED,
      "access-control-allow-methods": "GET",
      "access-control-max-age": "7200",
      "access-control-allow-headers": "Last-Event-ID",
    };
    expect(await headersFor(PAGE, preflight)).toEqual(sent);
    const headers = { "access-control-request-headers": "authorization" };
    const withMore = { ...sent, "access-control-allow-headers": "Last-Event-ID, authorization" };
    expect(await headersFor(PAGE, { ...preflight, headers })).toEqual(withMore);
    expect(await headersFor(PAGE, { ...preflight, from: EVIL })).not.toHaveProperty("access-control-allow-origin");
  });

  it("responds with 503 if its function fails", async () => {
    expect(await headersFor(() => Promise.reject(new Error("away")))).toEqual({ status: 503 });
  });
});

it("a relay without cors refuses OPTIONS", async () => {
  const relay = createRelay({ authorize: () => true });
  expect((await relay.handle(new Request("https://api.example.com/events", { method: "OPTIONS" }))).status).toBe(405);
});

it("createRelay refuses an origin that no browser sends, and accepts those of pages and apps", () => {
  const create = (origin: unknown) => () => createRelay({ authorize: () => true, cors: { origin: origin as never } });
  for (const origin of [
    `${PAGE}/`,
    "https://App.example.com",
    "app.example.com",
    "https://a.example.com:443",
    // A wildcard in a host matches no origin.
    [PAGE, "https://*.example.com"],
    "capacitor://*",
    [],
    [5],
    "null",
    undefined,
  ]) {
    expect(create(origin), String(origin)).toThrow("createRelay: cors.origin");
  }
  for (const origin of ["http://localhost:5173", "capacitor://localhost", "chrome-extension://abcdef", [PAGE]]) {
    expect(create(origin), String(origin)).not.toThrow();
  }
});
