/** The paths of validation issues, how many there are, and the names that they suggest. The messages: test/errors/messages.txt. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
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

it.each<[unknown, string]>([
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
])("the message about a wrong type names the kind of %o, not the value", (value, kind) => {
  const message = `expected a string, received ${kind}`;
  expect(issuesOf(z.object({ a: z.string() }), { a: value })).toMatchObject([{ path: "a", message }]);
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

  it("are also counted within a list of lists, and for a user's schema", () => {
    const item = responseObject<{ a: number[] }>({ a: responseArray(z.number()) });
    const lists = Array.from({ length: 10 }, () => ({ a: Array(50).fill("x") }));
    const keys = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, 1]));
    for (const issues of [issuesOf(responseArray(item), lists), issuesOf(z.strictObject({}), keys)]) {
      expect(issues).toHaveLength(21);
      expect(issues[20]!.message).toMatch(/^and [\d,]+ more$/);
    }
  });
});

it.each<[name: string, nearest: string | undefined]>([
  ["TIMEOUT_ms", "timeoutMs"],
  ["time-out ms", "timeoutMs"],
  ["timeouXXX", "timeoutMs"],
  ["timeoXXXX", undefined],
  ["qery", "query"],
  ["qeury", "query"],
  ["qry", undefined],
  ["", undefined],
  [`timeoutMs${"x".repeat(60)}`, undefined],
])(
  "an unknown name suggests one that differs by one character in three, whatever its case: %s, %s",
  async (name, nearest) => {
    const { notetaker } = clientOf(() => json({}));
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.list({}, { [name]: 1 } as object));
    expect(/ did you mean (\w+)\?/.exec(error.message)?.[1]).toBe(nearest);
  },
);
