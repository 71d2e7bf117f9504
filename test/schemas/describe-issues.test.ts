/** How what is wrong is worded. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import * as full from "zod";
import * as z from "zod/mini";
import { describeIssues, pathText } from "../../src/schemas/describe-issues.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const issuesOf = (schema: z.core.$ZodType, value: unknown) => {
  const result = z.safeParse(schema, value);
  return result.success ? [] : describeIssues(result.error.issues, value);
};

describe("a path", () => {
  it.each<[PropertyKey[], string]>([
    [[], ""],
    [["meetings"], "meetings"],
    [["meetings", 0, "id"], "meetings[0].id"],
    [[0, 1], "[0][1]"],
    [[0, "id"], "[0].id"],
    [["a", Symbol("s")], "a.Symbol(s)"],
  ])("%o reads %s", (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

describe("a wrong type", () => {
  it.each<[unknown, string]>([
    [undefined, "nothing"],
    [null, "null"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
    [5, "a number"],
    [true, "a boolean"],
    [[], "an array"],
    [{}, "an object"],
    [() => {}, "a function"],
    [1n, "a bigint"],
    [Symbol("s"), "a symbol"],
  ])("%o is named by its kind, not by its value", (value, kind) => {
    expect(issuesOf(z.object({ a: z.string() }), { a: value })).toEqual([
      { path: "a", message: `expected a string, received ${kind}` },
    ]);
  });

  it("at the very top has no path", () => {
    expect(issuesOf(z.array(z.string()), null)).toEqual([{ path: "", message: "expected an array, received null" }]);
  });
});

describe("a schema of another kind of words", () => {
  it("that has words of its own is quoted", () => {
    expect(issuesOf(full.string().min(3), "ab")).toEqual([{ path: "", message: expect.stringMatching(/3/) }]);
    expect(issuesOf(z.string().check(z.minLength(3, { error: "too short" })), "ab")).toEqual([
      { path: "", message: "too short" },
    ]);
  });

  it("unknown fields are named one by one", () => {
    expect(issuesOf(z.strictObject({}), { a: 1, b: 2 })).toEqual([
      { path: "a", message: "is not known here" },
      { path: "b", message: "is not known here" },
    ]);
  });
});

describe("nothing of zod shows", () => {
  it.each<[string, object]>([
    ["scope", { scope: "mine" }],
    ["limit", { limit: 0 }],
    ["limit", { limit: "5" }],
    ["ids", { ids: "room_1" }],
    ["expand", { expand: [5] }],
    ["cursor", { cursor: "" }],
    ["search", { search: 5 }],
    ["x", { x: 1 }],
  ])("in what is said of %s: %o", async (path, params) => {
    const { notetaker } = clientOf(() => json({}));
    const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list(params));
    expect(error.message).toContain(path);
    expect(error.message).not.toMatch(/invalid input|zod|unrecognized|invalid_|custom/i);
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify(error)).not.toMatch(/invalid input|zod|unrecognized_keys|invalid_/i);
  });
});
