/** The headers that a caller sets, and the User-Agent header. */
import type { RequestOptions } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json } from "../support/recorder.js";

describe("the headers option", () => {
  const record = { "x-a": "2", "X-B": "1" };
  const all = { "x-a": "2", "x-b": "1", "x-c": "3" };
  const twice = [
    ["x-a", "2"],
    ["X-A", "3"],
  ] as const;
  const withNull = ["2", null, "3", "4"].map((value) => ["x-a", value]);

  it.each<[what: string, headers: unknown, sent: Record<string, string | undefined>]>([
    ["a Headers", new Headers(record), all],
    ["pairs", Object.entries(record), all],
    ["a Map", new Map(Object.entries(record)), all],
    ["a record", record, all],
    ["a Headers with a name twice", new Headers(twice as never), { "x-a": "2, 3" }],
    ["pairs with a name twice", twice, { "x-a": "2, 3" }],
    ["pairs with a null, of which only the values after it are joined", withNull, { "x-a": "3, 4" }],
    ["a record with two spellings of a name, of which the last counts", { "X-A": "2", "x-a": "3" }, { "x-a": "3" }],
    ["a record whose first spelling is null", { "X-A": null, "x-a": "3" }, { "x-a": "3" }],
    ["a record whose last spelling is null", { "X-A": "2", "x-a": null }, { "x-a": undefined }],
    ["undefined, which keeps the client's value", { "x-a": undefined }, { "x-a": "1", "x-c": "3" }],
    ["null, which removes it", { "X-C": null, "user-agent": null }, { "x-c": undefined, "user-agent": undefined }],
    ['the text "undefined"', { "x-a": "undefined" }, { "x-a": "undefined" }],
    ["another User-Agent", { "User-Agent": "mine" }, { "user-agent": "mine" }],
  ])("may be %s", async (_, headers, sent) => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "1", "x-c": "3" } });
    await notetaker.webhooks.list({ headers: headers as RequestOptions["headers"] });
    for (const [name, value] of Object.entries(sent)) expect(seen[0]?.headers[name]).toBe(value);
  });

  it("may not be an iterator, which can be read once: a list sends several requests", async () => {
    const { notetaker, seen } = clientOf(() => json([]));
    const call = notetaker.webhooks.list({ headers: new Map([["x-team", "a"]]).entries() });
    await expect(call).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: "headers" }] });
    expect(seen).toEqual([]);
  });
});

describe("the User-Agent header", () => {
  const node = { process: { versions: { node: "22.1.0" } } };
  it.each<[what: string, Record<string, unknown>, agent: string | undefined, appInfo?: object]>([
    ["Node", node, "(node/22.1.0)"],
    ["Bun", { process: { versions: { node: "22.1.0", bun: "1.2.0" } } }, "(bun/1.2.0)"],
    ["Deno", { ...node, Deno: { version: { deno: "2.1.0" } } }, "(deno/2.1.0)"],
    ["workerd", { ...node, navigator: { userAgent: "Cloudflare-Workers" } }, "(workerd)"],
    ["an edge runtime", { EdgeRuntime: "edge", process: {} }, "(edge-runtime)"],
    ["a browser", { navigator: { userAgent: "Mozilla/5.0" } }, undefined],
    ["a Deno without a version", { Deno: {} }, undefined],
    ["an application", node, "(node/22.1.0) my-app/2.0", { name: "my-app", version: "2.0" }],
    ["an application with characters that no header may contain", node, "(node/22.1.0) B?ro ~", { name: "Büro ~" }],
  ])("names the runtime and the application: %s", async (_, globals, agent, appInfo) => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("navigator", undefined);
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const client = notetaker.withOptions({ appInfo: appInfo as never });
    vi.unstubAllGlobals();
    await client.webhooks.list();
    const sent = seen[0]?.headers["user-agent"];
    expect(sent?.replace(/^notetaker-sdk\/\d+\.\d+\.\d+ /, "")).toBe(agent);
  });
});
