/** Pages of other origins. test/browser/cross-origin.test.ts has a real page. */
import { describe, expect, it } from "vitest";
import { createRelay, type RelayOptions } from "../../../src/webhooks/relay/relay.js";

const PAGE = "https://app.example.com";

/** The headers of the response to a page that are about origins. */
async function headersFor(
  origin: NonNullable<RelayOptions["cors"]>["origin"],
  {
    from = PAGE,
    authorize = () => true,
    ...init
  }: RequestInit & Pick<Partial<RelayOptions>, "authorize"> & { from?: string | null } = {},
) {
  const relay = createRelay({ authorize, cors: { origin }, onError: () => {} });
  const headers = new Headers(init.headers);
  if (from !== null) headers.set("origin", from);
  const response = await relay.handle(new Request("https://api.example.com/events", { ...init, headers }));
  await response.body?.cancel();
  const own = [...response.headers].filter(([name]) => /^(access-control-|vary)/.test(name));
  return { status: response.status, ...(Object.fromEntries(own) as { vary?: string }) };
}

const ALLOWED = {
  "access-control-allow-origin": PAGE,
  "access-control-allow-credentials": "true",
  vary: "Origin",
};

describe("a relay with cors", () => {
  it.each([
    ["its origin", PAGE],
    ["one of several", ["https://other.example.com", PAGE]],
    ["a function", (origin: string) => origin === PAGE],
    ["an async function", async (origin: string) => origin === PAGE],
  ])("lets a page read the stream that is allowed by %s, and no other page", async (_, origin) => {
    expect(await headersFor(origin)).toEqual({ status: 200, ...ALLOWED });
    for (const from of ["https://evil.example.com", "https://app.example.com.evil.com", "null", null]) {
      expect(await headersFor(origin, { from })).toEqual({ status: 200, vary: "Origin" });
    }
  });

  it("lets every page read the stream with *, but without cookies", async () => {
    expect(await headersFor("*")).toEqual({ status: 200, "access-control-allow-origin": "*" });
  });

  it("lets a page read why it was refused", async () => {
    const refused = Response.redirect("https://example.com/login", 302);
    for (const [status, authorize] of [
      [403, () => false],
      [
        401,
        () => new Response("log in", { status: 401, headers: { vary: "Cookie", "access-control-allow-origin": "*" } }),
      ],
      [302, () => refused],
      [503, () => Promise.reject(new Error("the session store is away"))],
    ] as const) {
      const { vary, ...others } = await headersFor(PAGE, { authorize });
      expect(others).toEqual({
        status,
        "access-control-allow-origin": PAGE,
        "access-control-allow-credentials": "true",
      });
      expect(vary).toBe(status === 401 ? "Cookie, Origin" : "Origin");
    }
    expect(await headersFor(PAGE, { method: "POST" })).toMatchObject({ status: 405, ...ALLOWED });
  });

  it("answers the request that a browser sends before that of the page, without authorizing it", async () => {
    const authorize = () => expect.fail("authorized");
    const preflight = { method: "OPTIONS", authorize };
    const methods = { "access-control-allow-methods": "GET", "access-control-max-age": "7200" };
    expect(await headersFor(PAGE, preflight)).toEqual({
      status: 204,
      ...ALLOWED,
      ...methods,
      "access-control-allow-headers": "Last-Event-ID",
    });
    const headers = { "access-control-request-headers": "authorization" };
    expect(await headersFor(PAGE, { ...preflight, headers })).toMatchObject({
      ...ALLOWED,
      "access-control-allow-headers": "Last-Event-ID, authorization",
    });
    expect(await headersFor(PAGE, { ...preflight, from: "https://evil.example.com" })).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });

  it("responds with 503 if its function fails", async () => {
    expect(await headersFor(() => Promise.reject(new Error("away")))).toEqual({ status: 503 });
  });
});

it("a relay without cors refuses OPTIONS", async () => {
  const relay = createRelay({ authorize: () => true });
  expect((await relay.handle(new Request("https://api.example.com/events", { method: "OPTIONS" }))).status).toBe(405);
});

it.each([
  "https://app.example.com/",
  "https://App.example.com",
  "app.example.com",
  "https://a.example.com:443",
  // A wildcard in a host matches no origin.
  "https://*.example.com",
  ["https://app.example.com", "https://*.example.com"],
  "capacitor://*",
  "https://*.example.com",
  "",
  [],
  [5],
  "null",
  undefined,
])("createRelay refuses an origin that no browser sends: %j", (origin) => {
  expect(() => createRelay({ authorize: () => true, cors: { origin: origin as never } })).toThrow(
    "createRelay: cors.origin: expected an origin such as https://app.example.com",
  );
});

it.each(["http://localhost:5173", "capacitor://localhost", "chrome-extension://abcdef", ["tauri://localhost", PAGE]])(
  "createRelay accepts the origin of an app: %j",
  (origin) => {
    expect(() => createRelay({ authorize: () => true, cors: { origin } })).not.toThrow();
  },
);
