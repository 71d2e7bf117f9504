/** The wording of validation issues. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import * as full from "zod";
import * as z from "zod/mini";
import { formatIssues, formatPath } from "../../src/checks/format-issues.js";
import { responseObject } from "../../src/schemas/primitives.js";
import { responseArray } from "../../src/schemas/response-array.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const issuesOf = (schema: z.core.$ZodType, value: unknown) => {
  const result = z.safeParse(schema, value);
  return result.success ? [] : formatIssues(result.error.issues, value, schema);
};

it.each<[PropertyKey[], string]>([
  [[], ""],
  [["meetings"], "meetings"],
  [["meetings", 0, "id"], "meetings[0].id"],
  [[0, 1], "[0][1]"],
  [[0, "id"], "[0].id"],
  [["a", Symbol("s")], "a.Symbol(s)"],
  [["x".repeat(200)], "x".repeat(200)],
  [["x".repeat(201)], `${"x".repeat(200)}…`],
  [["x".repeat(199), 0, "tail"], `${"x".repeat(199)}[…`],
])("the path of an issue from %o is written as %s", (path, text) => {
  expect(formatPath(path)).toBe(text);
});

describe("the message about a wrong type", () => {
  it("names the type of the value, not the value", () => {
    const kinds: [unknown, string][] = [
      [undefined, "nothing"],
      [null, "null"],
      [Number.NaN, "NaN"],
      [-1 / 0, "-Infinity"],
      [5, "a number"],
      [true, "a boolean"],
      [[], "an array"],
      [{}, "an object"],
      [new Date(0), "an object"],
      [new Date(Number.NaN), "an invalid Date"],
      [() => {}, "a function"],
      [1n, "a bigint"],
      [Symbol("s"), "a symbol"],
    ];
    for (const [value, kind] of kinds) {
      const message = `expected a string, received ${kind}`;
      expect(issuesOf(z.object({ a: z.string() }), { a: value })).toEqual([
        { path: "a", code: expect.any(String), message },
      ]);
    }
  });

  it("has no path if it is about the whole value", () => {
    expect(issuesOf(z.array(z.string()), null)).toMatchObject([{ path: "" }]);
  });
});

describe("the issues of a user's schema", () => {
  it("keep the messages of that schema", () => {
    expect(issuesOf(full.string().min(3), "ab")).toEqual([
      { path: "", code: "too_short", message: expect.stringMatching(/3/) },
    ]);
    expect(issuesOf(z.string().check(z.minLength(3, { error: "too short" })), "ab")).toMatchObject([
      { path: "", message: "too short" },
    ]);
  });

  it("name unknown fields one by one", () => {
    expect(issuesOf(z.strictObject({}), { a: 1, b: 2 })).toMatchObject([
      { path: "a", message: "unknown option" },
      { path: "b", message: "unknown option" },
    ]);
  });
});

describe("an unknown name", () => {
  const schema = z.strictObject({
    timeoutMs: z.optional(z.number()),
    nested: z.optional(z.strictObject({ start_date: z.optional(z.string()) })),
  });
  it.each<[object, string, string]>([
    [{ timeoutMS: 5 }, "timeoutMS", "unknown option; did you mean timeoutMs?"],
    [{ timeout: 5 }, "timeout", "unknown option; did you mean timeoutMs?"],
    [{ nested: { strat_date: "x" } }, "nested.strat_date", "unknown option; did you mean start_date?"],
    [{ colour: 5 }, "colour", "unknown option; expected one of timeoutMs, nested"],
  ])("in %o is reported with the most similar known name", (value, path, message) => {
    expect(issuesOf(schema, value)).toEqual([{ path, code: "unknown_option", message }]);
  });

  it("that belongs in another argument is reported with the argument", async () => {
    const { notetaker } = clientOf(() => json({}));
    const { meetings, rooms, documents } = notetaker;
    const signal = AbortSignal.abort();
    const calls: [call: PromiseLike<unknown>, path: string, message: string][] = [
      [meetings.upload(new Blob(), { signal } as object), "signal", "signal belongs in the third argument"],
      [meetings.upload(new Blob(), {}, { title: "x" } as object), "title", "title belongs in the second argument"],
      [meetings.sendBot({ meeting_url: "x", timeoutMs: 1 } as never), "timeoutMs", "belongs in the second argument"],
      [rooms.list({ onInvalid: "skip" } as object), "onInvalid", "onInvalid belongs in the second argument"],
      [rooms.list({}, { limit: 5 } as object), "limit", "limit belongs in the first argument"],
      [rooms.get("room_1", { signal } as object), "signal", "signal belongs in the third argument"],
      [documents.get("doc_1", { signal } as object), "signal", "signal belongs in the third argument"],
      [documents.find("mtg_1", "summary", { signal } as object), "signal", "signal belongs in the fourth argument"],
    ];
    for (const [call, path, message] of calls) {
      const { issues } = await rejectionOf(InvalidArgumentError, call);
      expect(issues).toContainEqual({ path, code: "unknown_option", message: expect.stringContaining(message) });
    }
  });

  it("in the parameters of an upload, or in the options of request(), is compared with all known names", async () => {
    const { notetaker } = clientOf(() => json({}));
    const messageOf = async (call: PromiseLike<unknown>) => (await rejectionOf(InvalidArgumentError, call)).issues[0];
    const upload = (params: object) =>
      messageOf(notetaker.meetings.upload(new Blob([], { type: "audio/wav" }), params));
    const request = (options: object) => messageOf(notetaker.request("GET", "/x", options));
    expect(await upload({ contenttype: "audio/wav" })).toHaveProperty(
      "message",
      expect.stringMatching(/did you mean contentType/),
    );
    expect(await upload({ colour: 1 })).toHaveProperty(
      "message",
      expect.stringMatching(/expected one of title, language, contentType, size$/),
    );
    expect(await request({ shema: 1 })).toHaveProperty("message", expect.stringMatching(/did you mean schema/));
  });

  it("is reported to the caller of a method", async () => {
    const { notetaker } = clientOf(() => json({}));
    const options = { timeoutMS: 5 } as object;
    const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list({ serch: "x" } as object, options));
    expect(error.issues).toMatchObject([
      { path: "serch", message: "unknown option; did you mean search?" },
      { path: "timeoutMS", message: "unknown option; did you mean timeoutMs?" },
    ]);
  });
});

describe("many issues", () => {
  it.each([
    [19, 19, undefined],
    [20, 20, undefined],
    [22, 21, "and 2 more"],
    [100_000, 21, "and 99,980 more"],
    // At most 100,000 further items are checked.
    [100_021, 21, "and 100,000 more"],
  ])("are cut after 20, and the others are counted: %i", (count, length, last) => {
    const invalid = Array.from({ length: count }, () => ({}));
    const issues = issuesOf(responseArray(responseObject<{ a: string }>({ a: z.string() })), [...invalid, { a: "x" }]);
    expect(issues).toHaveLength(length);
    expect(issues[0]).toMatchObject({ path: "[0].a" });
    if (last !== undefined) expect(issues[20]).toEqual({ path: "", code: "invalid", message: last });
  });

  it("are also counted within a list of lists", () => {
    const item = responseObject<{ a: number[] }>({ a: responseArray(z.number()) });
    const issues = issuesOf(
      responseArray(item),
      Array.from({ length: 10 }, () => ({ a: Array(50).fill("x") })),
    );
    expect(issues).toHaveLength(21);
    expect(issues[20]!.message).toMatch(/^and \d+ more$/);
  });

  it("are also cut for a user's schema", () => {
    const keys = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, 1]));
    expect(issuesOf(z.strictObject({}), keys)).toHaveLength(21);
  });
});

describe("a validation message", () => {
  it.each<[string, object]>([
    ["scope", { scope: "mine" }],
    ["limit", { limit: 0 }],
    ["limit", { limit: "5" }],
    ["ids", { ids: "room_1" }],
    ["expand", { expand: [5] }],
    ["cursor", { cursor: "" }],
    ["search", { search: 5 }],
    ["x", { x: 1 }],
  ])("about %s contains no wording of zod: %o", async (path, params) => {
    const { notetaker } = clientOf(() => json({}));
    const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list(params));
    expect(error.message).toContain(path);
    expect(error.message).not.toMatch(/invalid input|zod|unrecognized|invalid_|custom/i);
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify(error)).not.toMatch(/invalid input|zod|unrecognized_keys|invalid_/i);
  });

  it("names what was expected, and what was received", async () => {
    const { notetaker } = clientOf(() => json({}));
    const { meetings, rooms, permissions, webhooks } = notetaker;
    const url = "https://a.example";
    const many = "x".repeat(61);
    const id = (form: string) => `expected ${form}, without white space, control characters, / \\ ? # and %, received`;
    const calls: [call: PromiseLike<unknown>, message: string][] = [
      [rooms.list({ scope: "mine" as "all" }), 'scope: expected one of owned, shared, all, received "mine"'],
      [rooms.list({ scope: many as "all" }), `received "${many.slice(1)}…"`],
      [meetings.list({ expand: ["x" as "documents"] }), 'expand[0]: expected documents, received "x"'],
      [rooms.list({ limit: 500 }), "limit: expected an integer from 1 to 100, received 500"],
      [rooms.list({ limit: "5" as never }), 'limit: expected an integer from 1 to 100, received "5"'],
      [rooms.list({ cursor: "" }), "cursor: expected a string that is not empty, received an empty string"],
      [rooms.list({ ids: [] }), "ids: expected 1 to 100 ids, received 0"],
      [rooms.list({}, { signal: 5 as never }), "signal: expected an AbortSignal, received a number"],
      // A character outside of the first 65,536 counts once.
      [
        meetings.upload(new Blob(), { title: "😀".repeat(501) }),
        "title: expected at most 500 characters, received 501",
      ],
      [meetings.list({ start_date: "1 May" }), 'a calendar date of the form YYYY-MM-DD, received "1 May"'],
      [permissions.set("mtg_1", { recipient: { type: "anyone" }, role: "edit" }), 'role: expected "read": access for'],
      [webhooks.create({ url, events: [] }), "events: expected at least 1 kind of event, received 0"],
      [webhooks.update("whk_1", {}), "expected at least one of url, events and enabled, received none"],
      [
        webhooks.ensure({ url, events: ["meeting.transcript_ready"], secretStore: { get() {} } as never }),
        "secretStore: expected an object with get and set, received an object",
      ],
      [meetings.getTranscript("room_1"), `meetingId: ${id("an id of the form mtg_…")} "room_1"`],
      [meetings.getTranscript(undefined as never), `meetingId: ${id("an id of the form mtg_…")} nothing`],
      [permissions.revoke("mtg_1", ""), `permissionId: ${id("an id")} ""`],
    ];
    for (const [call, message] of calls) {
      expect((await rejectionOf(InvalidArgumentError, call)).message).toContain(message);
    }
  });

  it("suggests a name that differs by one character in three, without case, underscores and hyphens", async () => {
    const suggestionFor = async (name: string) => {
      const { notetaker } = clientOf(() => json({}));
      const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.list({}, { [name]: 1 } as object));
      return / did you mean (\w+)\?/.exec(error.message)?.[1];
    };
    const cases: [name: string, nearest: string | undefined][] = [
      ["TIMEOUT_ms", "timeoutMs"],
      ["time-out ms", "timeoutMs"],
      ["timeouXXX", "timeoutMs"],
      ["timeoXXXX", undefined],
      ["qery", "query"],
      ["qeury", "query"],
      ["qry", undefined],
      ["", undefined],
      [`timeoutMs${"x".repeat(60)}`, undefined],
    ];
    for (const [name, nearest] of cases) expect(await suggestionFor(name), name).toBe(nearest);
  });
});
