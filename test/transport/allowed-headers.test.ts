/** The headers that a caller sets, and the User-Agent header. */
import type { Notetaker, RequestOptions } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { pagesOf } from "../support/pages.js";
import { clientOf, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";

describe('a header with the value "undefined"', () => {
  it("is sent unchanged", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "undefined" } });
    await notetaker.webhooks.list({ headers: { "x-b": "undefined" } });
    expect(seen[0]?.headers).toMatchObject({ "x-a": "undefined", "x-b": "undefined" });
  });
});

describe("the headers option", () => {
  const record = { "x-a": "2", "X-B": "1" };
  it.each([
    ["a Headers", new Headers(record)],
    ["pairs", Object.entries(record)],
    ["a Map", new Map(Object.entries(record))],
    ["a record", record],
  ])("may be %s", async (_, headers) => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "1", "x-c": "3" } });
    await notetaker.webhooks.list({ headers });
    expect(seen[0]?.headers).toMatchObject({ "x-a": "2", "x-b": "1", "x-c": "3" });
  });

  it("may have a name twice, as in a Headers", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "0" } });
    const pairs: [string, string][] = [
      ["x-a", "1"],
      ["X-A", "2"],
    ];
    for (const headers of [new Headers(pairs), pairs]) await notetaker.webhooks.list({ headers });
    expect(seen.map(({ headers }) => headers["x-a"])).toEqual(["1, 2", "1, 2"]);
  });

  it("has the last value of a record with two spellings of a name", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-team": "0" } });
    for (const headers of [
      { "X-Team": "a", "x-team": "b" },
      { "X-Team": null, "x-team": "b" },
      { "X-Team": "a", "x-team": null },
    ]) {
      await notetaker.webhooks.list({ headers });
    }
    expect(seen.map(({ headers }) => headers["x-team"])).toEqual(["b", "b", undefined]);
  });

  it("joins only the values that follow a null in pairs", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-team": "0" } });
    const headers = ["a", null, "b", "c"].map((value) => ["x-team", value]) as [string, string][];
    await notetaker.webhooks.list({ headers });
    expect(seen[0]?.headers["x-team"]).toBe("b, c");
  });

  const rooms = pagesOf([1, 1]);
  const meetings = json(samples.page([{ ...samples.meeting, documents: [samples.documentReference] }]));
  it.each<[string, requests: number, (notetaker: Notetaker, options: RequestOptions) => Promise<unknown>]>([
    ["of a list", 2, (notetaker, options) => notetaker.rooms.list({}, options).toArray({ max: 9 })],
    ["of a search", 2, ({ documents }, options) => documents.find("mtg_1", "summary", {}, options)],
    ["of a wait", 1, (notetaker, { headers }) => notetaker.meetings.waitForCompletion("mtg_1", { headers })],
    [
      "of a client with further options",
      2,
      (notetaker, { headers }) =>
        notetaker.withOptions({ headers }).withOptions({ timeoutMs: 5_000 }).rooms.list().toArray({ max: 9 }),
    ],
  ])("that is an iterator, which can be read once, reaches each request %s", async (_, requests, call) => {
    const { notetaker, seen } = clientOf((one, index) => {
      if (one.path === "/rooms") return rooms(one, index);
      return one.path === "/meetings" ? meetings.clone() : json(samples.document);
    });
    await call(notetaker, { headers: new Map([["x-team", "a"]]).entries() });
    expect(seen.map(({ headers }) => headers["x-team"])).toEqual(Array(requests).fill("a"));
  });

  it("keep the client's value for undefined, and remove the header for null", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "1", "x-b": "1" } });
    await notetaker.webhooks.list({ headers: { "x-a": undefined, "X-B": null, "user-agent": null } });
    expect(seen[0]?.headers).toMatchObject({ "x-a": "1" });
    expect(seen[0]?.headers).not.toHaveProperty("x-b");
    expect(seen[0]?.headers).not.toHaveProperty("user-agent");
  });
});

describe("the User-Agent header", () => {
  const agentWith = async (globals: Record<string, unknown>, options: object = {}) => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("navigator", undefined);
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const client = notetaker.withOptions(options);
    vi.unstubAllGlobals();
    await client.webhooks.list();
    return seen[0]?.headers["user-agent"];
  };

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["Node", { process: { versions: { node: "22.1.0" } } }, "node/22.1.0"],
    ["Bun", { process: { versions: { node: "22.1.0", bun: "1.2.0" } } }, "bun/1.2.0"],
    ["Deno", { Deno: { version: { deno: "2.1.0" } }, process: { versions: { node: "22.1.0" } } }, "deno/2.1.0"],
    ["workerd", { navigator: { userAgent: "Cloudflare-Workers" }, process: { versions: { node: "22" } } }, "workerd"],
    ["an edge runtime", { EdgeRuntime: "edge", process: {} }, "edge-runtime"],
    ["a browser", { navigator: { userAgent: "Mozilla/5.0" } }, undefined],
    ["a Deno without a version", { Deno: {} }, undefined],
  ])("has the runtime: %s", async (_, globals, runtime) => {
    const agent = await agentWith(globals);
    expect(agent).toEqual(runtime === undefined ? undefined : expect.stringMatching(/^notetaker-sdk\/[\d.]+ \(.+\)$/));
    if (runtime !== undefined) expect(agent).toContain(`(${runtime})`);
  });

  it("has the application's name, in characters that a header may contain", async () => {
    const node = { process: { versions: { node: "22.1.0" } } };
    expect(await agentWith(node, { appInfo: { name: "my-app", version: "2.0" } })).toMatch(/\) my-app\/2\.0$/);
    expect(await agentWith(node, { appInfo: { name: "Büro ~" } })).toMatch(/\) B\?ro ~$/);
  });

  it("can be replaced by the headers option", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "User-Agent": "mine" } });
    await notetaker.webhooks.list();
    expect(seen[0]?.headers["user-agent"]).toBe("mine");
  });
});
