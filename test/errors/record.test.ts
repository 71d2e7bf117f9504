/** `JSON.stringify(error)` writes a record for logs: what it has, what it omits, and how it marks the omission. */
import { inspect } from "node:util";
import {
  ApiError,
  ConnectionError,
  InvalidArgumentError,
  type NotetakerError,
  PaginationError,
  TimeoutError,
} from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { failureOf, json, refusal } from "../support/recorder.js";

const recordOf = (error: unknown) => JSON.parse(JSON.stringify(error));
const sizeOf = (error: unknown) => new TextEncoder().encode(JSON.stringify(error)).length;

it("the record of an ApiError has every field except headers", async () => {
  const limits = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "1", "x-ratelimit-reset": "1750000000" };
  expect(recordOf(await failureOf(() => refusal(404, "not_found", { "x-a": "1", ...limits })))).toEqual({
    name: "NotFoundError",
    message: expect.stringContaining("the service says not_found"),
    outcome: "rejected",
    retryable: false,
    attempts: 1,
    status: 404,
    code: "not_found",
    body: { error: { code: "not_found", message: "the service says not_found" } },
    rateLimit: { limit: 60, remaining: 1, resetAt: "2025-06-15T15:06:40.000Z" },
    request: { method: "GET", url: "https://api.example.com/v1/webhooks" },
    fromService: true,
  });
});

it.each<[string, unknown, unknown]>([
  ["a string", "boom", "boom"],
  ["an object", { a: 1 }, "[object Object]"],
  ["a bigint, which JSON cannot represent", 1n, "1"],
])("the record has a string as cause if the cause is %s", (_, cause, expected) => {
  expect(recordOf(new ConnectionError({ message: "m", cause }))).toMatchObject({ cause: expected });
});

it("the record of an error without a cause, or with null, has no cause", () => {
  expect(recordOf(new ConnectionError({ message: "m", cause: null }))).not.toHaveProperty("cause");
  const shared = { name: "TimeoutError", message: "m", outcome: "unknown", retryable: false, attempts: 0 };
  expect(recordOf(new TimeoutError({ message: "m", timeoutMs: 5 }))).toEqual({ ...shared, timeoutMs: 5 });
});

it("the record has the fields of a user's subclass", () => {
  class TeamError extends PaginationError {
    readonly team = "a";
  }
  expect(recordOf(new TeamError({ message: "m" }))).toMatchObject({ team: "a", name: "PaginationError" });
});

it.each<[string, () => Response]>([
  ["its text", () => new Response("<html>private matter</html>")],
  ["its fields", () => json([{ id: "private 1", url: 5, events: ["private 2", 7] }, "private 3"])],
])(
  "the record of a ResponseValidationError has its issues, but nothing of the body, which may be a conversation: %s",
  async (_, answer) => {
    const error = await failureOf(answer);
    expect(JSON.stringify(error.body)).toContain("private");
    expect(recordOf(error)).toMatchObject({ name: "ResponseValidationError", status: 200, issues: error.issues });
    for (const text of [JSON.stringify(error), inspect(error), Object.keys(error).join()]) {
      expect(text).not.toMatch(/private|body:|,body,/);
    }
  },
);

describe("the JSON record of an error", () => {
  const long = "\u0000é\ud800".repeat(400_000);
  const url = `https://api.example.com/v1/rooms?cursor=${"c".repeat(5_000_000)}`;
  const request = { method: "GET", url };
  const manyFields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => ["\u0001".repeat(500) + i, i]));

  it.each<[string, NotetakerError]>([
    ["a long message", new ConnectionError({ message: long })],
    ["a long cause", new ConnectionError({ message: "m", cause: new Error(long, { cause: long }) })],
    ["a long cursor", new PaginationError({ message: "m", cursor: long })],
    ["a long URL", new ApiError({ message: "m", request })],
    ["a large body", new ApiError({ message: "m", body: Array.from({ length: 100 }, () => Array(100).fill(long)) })],
    ["a body with very many fields", new ApiError({ message: "m", body: manyFields })],
    ["a deep body", new ApiError({ message: "m", body: JSON.parse(`${"[".repeat(5_000)}1${"]".repeat(5_000)}`) })],
    [
      "many issues",
      new InvalidArgumentError({ operation: "a", issues: Array(9_999).fill({ path: "", message: long }) }),
    ],
    ["a reference to itself", Object.assign(new PaginationError({ message: "m" }), { self: [] as unknown[] })],
  ])("stays under 64 KB with %s", (_, error) => {
    if ("self" in error) (error.self as unknown[]).push(error, error.self);
    expect(sizeOf(error)).toBeLessThan(65_536);
    expect(() => structuredClone(error.toJSON())).not.toThrow();
  });
});

const kept = (body: unknown): unknown => new ApiError({ message: "m", body }).toJSON().body;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const fieldsOf = (count: number, value: unknown = 1) =>
  Object.fromEntries(numbers(count).map((i) => [`f${i}`, value] as const));

describe("the JSON record of an error, at its limits,", () => {
  it.each<[string, whole: unknown, long: unknown, cut: unknown]>([
    ["2,048 characters", "x".repeat(2_048), "x".repeat(2_049), `${"x".repeat(2_048)}…`],
    ["20 items, and one that counts others", numbers(21), numbers(1_234), [...numbers(20), "and 1,214 more"]],
    ["60 fields", fieldsOf(60), fieldsOf(61), { ...fieldsOf(60), "…": "…" }],
  ])("keeps %s, and marks what it cuts", (_, whole, long, cut) => {
    expect(kept(whole)).toEqual(whole);
    expect(kept(long)).toEqual(cut);
  });

  it("keeps eight levels of nested objects and lists, and a mark for deeper levels", () => {
    const nested = (levels: number, end: unknown, wrap: (inner: unknown) => unknown) =>
      numbers(levels).reduce<unknown>((inner) => wrap(inner), end);
    const asField = (inner: unknown) => ({ a: inner });
    const asItem = (inner: unknown) => [inner];
    for (const wrap of [asField, asItem]) {
      expect(kept(nested(8, 1, wrap))).toEqual(nested(8, 1, wrap));
      expect(kept(nested(20, 1, wrap))).toEqual(nested(8, "…", wrap));
    }
  });

  it("omits fields beyond its limit of bytes, and marks the omission", () => {
    const long = "\u0001".repeat(2_048);
    const body = kept({ ...fieldsOf(6, long), last: 1 }) as Record<string, unknown>;
    expect(body.f3).toBe(long);
    expect(body.f4).toMatch(/^\u0001{1,2000}…$/);
    expect(Object.keys(body)).not.toContain("last");
    expect(Object.entries(body).at(-1)).toEqual(["…", "…"]);
    expect(kept([...Array(6).fill(long), { a: 1 }, [1]])).toMatchObject({ 5: "…", 6: "…", 7: "…" });
  });

  it.each(numbers(9).map((i) => i * 1_500))(
    "stays under 64 KB if %i bytes precede the text that exceeds its limit",
    (before) => {
      for (const text of ["\u0001", "語", "\ud800", '"', "x"]) {
        const body = ["x".repeat(before), Array(20).fill(Array(20).fill(text.repeat(5_000)))];
        expect(sizeOf(new ApiError({ message: "m", body }))).toBeLessThan(65_536);
      }
    },
  );

  it("contains a bigint as a string and a date as in JSON, and omits functions, symbols and undefined fields", () => {
    const body = { big: 10n, at: new Date(0), on: true, none: null, run: () => 1, tag: Symbol("s"), absent: undefined };
    const record = kept(body) as object;
    expect(record).toStrictEqual({ big: "10", at: "1970-01-01T00:00:00.000Z", on: true, none: null });
    expect(kept([1, undefined, () => 1])).toStrictEqual([1, null, null]);
    expect(kept([Number.NaN, Number.POSITIVE_INFINITY, -1 / 0])).toEqual([null, Number.MAX_VALUE, -Number.MAX_VALUE]);
    const names = Object.keys(new ConnectionError({ message: "m" }).toJSON());
    expect(names).toEqual(["name", "message", "outcome", "retryable", "attempts"]);
  });

  it("omits a field whose getter throws", () => {
    const body = Object.defineProperty({ a: 1 }, "b", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(kept(body)).toStrictEqual({ a: 1 });
  });
});

describe("the cause in the JSON record of an error", () => {
  const causeOf = (cause: unknown) => new PaginationError({ message: "m", cause }).toJSON().cause;

  it("has its code if the code is a string or a number", () => {
    expect(causeOf(Object.assign(new Error("m"), { code: "E1" }))).toEqual({ name: "Error", message: "m", code: "E1" });
    expect(causeOf(Object.assign(new Error("m"), { code: 5 }))).toEqual({ name: "Error", message: "m", code: 5 });
    expect(causeOf(Object.assign(new Error("m"), { code: { a: 1 } }))).toStrictEqual({ name: "Error", message: "m" });
  });

  it("contains at most eight nested causes, even if the chain is circular", () => {
    const chain = (levels: number): unknown =>
      numbers(levels).reduce<unknown>((cause) => new Error("m", { cause }), undefined);
    const record = (levels: number): object | undefined =>
      numbers(levels).reduce<object | undefined>(
        (cause) => ({ name: "Error", message: "m", ...(cause && { cause }) }),
        undefined,
      );
    expect(causeOf(chain(3))).toStrictEqual(record(3));
    expect(causeOf(chain(20))).toStrictEqual(record(8));
    const circular = new Error("m");
    circular.cause = circular;
    expect(causeOf(circular)).toStrictEqual(record(8));
  });

  it("is the name of its type if it cannot be converted to a string", () => {
    expect(causeOf(Object.create(null))).toBe("object");
  });
});
