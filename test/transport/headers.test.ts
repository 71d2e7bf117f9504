/** The headers that a caller sets. */
import { describe, expect, it } from "vitest";
import { clientOf, json } from "../support/recorder.js";

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

  it("keep the client's value for undefined, and remove the header for null", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "x-a": "1", "x-b": "1" } });
    await notetaker.webhooks.list({ headers: { "x-a": undefined, "X-B": null, "user-agent": null } });
    expect(seen[0]?.headers).toMatchObject({ "x-a": "1" });
    expect(seen[0]?.headers).not.toHaveProperty("x-b");
    expect(seen[0]?.headers).not.toHaveProperty("user-agent");
  });
});

describe("the User-Agent header", () => {
  it("can be replaced by the headers option", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { headers: { "User-Agent": "mine" } });
    await notetaker.webhooks.list();
    expect(seen[0]?.headers["user-agent"]).toBe("mine");
  });
});
