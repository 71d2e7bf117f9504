/** Text of the service is one line of limited length in an error's message. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { failureOf, json } from "../support/recorder.js";

async function messageOf(body: unknown): Promise<string> {
  const { message } = await failureOf(() => json(body, 400));
  return message.slice(message.indexOf(" 400") + " 400".length);
}

describe("text of the service in an error", () => {
  it.each<[string, string, string]>([
    ["300 characters are kept", "x".repeat(300), "x".repeat(300)],
    ["the 301st character is cut", "x".repeat(301), `${"x".repeat(300)}…`],
    ["white space and control characters become one space", "a \t\r\n  b\u0000\u001b\u2028c", "a b c"],
    ["spaces at both ends are removed", "  a b \n", "a b"],
    ["text after 2,400 characters is ignored", `a${" ".repeat(2_399)}b`, "a…"],
    ["2,400 characters are read", `a${" ".repeat(2_398)}b`, "a b"],
  ])("is one line of the message: %s", async (_, text, expected) => {
    expect(await messageOf({ error: { message: text } })).toBe(`: ${expected}`);
  });

  it("has a code of at most 60 characters", async () => {
    for (const [length, shown] of [[60, "c".repeat(60)] as const, [61, `${"c".repeat(60)}…`] as const]) {
      expect(await messageOf({ error: { code: "c".repeat(length) } })).toBe(` ${shown}`);
    }
  });

  it("is the code and text of the body itself only if the body has no error field", async () => {
    expect(await messageOf({ code: "outer", message: "m" })).toBe(" outer: m");
    expect(await messageOf({ detail: "Not authenticated" })).toBe(": Not authenticated");
    expect(await messageOf({ code: "outer", error: "inner text" })).toBe(": inner text");
    expect(await messageOf({ code: "outer", error: { message: "inner text" } })).toBe(": inner text");
  });

  it.each([
    [2, "wrong 0; wrong 1"],
    [3, "wrong 0; wrong 1; wrong 2"],
    [4, "wrong 0; wrong 1; wrong 2, and 1 more"],
    [21, "wrong 0; wrong 1; wrong 2, and 18 more"],
  ])("lists at most three of %i details, and counts the others", async (count, text) => {
    const detail = Array.from({ length: count }, (_, i) => `wrong ${i}`);
    expect(await messageOf({ detail })).toBe(`: ${text}`);
  });

  it("has at most 20 issues, and one that counts the others, even if the listed details are cut", async () => {
    const detail = Array.from({ length: 1_000 }, () => "x".repeat(301));
    const error = await failureOf(() => json({ detail }, 422));
    const issues = error.issues as { msg: string }[];
    expect([issues.length, issues.at(-1)?.msg]).toEqual([21, "and 980 more"]);
    expect(error.message.endsWith(`: ${"x".repeat(300)}…, and 997 more`)).toBe(true);
  });
});

describe("the message of an InvalidArgumentError", () => {
  const issues = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `f${i}`, message: "m" }));
  const more = (count: string) => ({ path: "", message: `and ${count} more` });

  it.each<[string, { path: string; message: string }[], string]>([
    ["one issue", issues(1), "f0: m"],
    ["three issues", issues(3), "f0: m; f1: m; f2: m"],
    ["four issues", issues(4), "f0: m; f1: m; f2: m, and 1 more"],
    ["one issue without a path", [{ path: "", message: "m" }], "m"],
    ["20 issues, and one that counts more", [...issues(20), more("1,234")], "f0: m; f1: m; f2: m, and 1,251 more"],
    ["three issues, and one that counts more", [...issues(3), more("2")], "f0: m; f1: m; f2: m, and 2 more"],
  ])("lists the first three issues, and counts the others: %s", (_, given, text) => {
    expect(new InvalidArgumentError({ operation: "rooms.list", issues: given }).message).toBe(`rooms.list: ${text}`);
  });

  it("has at most 600 characters of its issues", () => {
    const { message } = new InvalidArgumentError({ issues: [{ path: "", message: "x".repeat(601) }] });
    expect(message).toBe(`${"x".repeat(600)}…`);
  });
});
