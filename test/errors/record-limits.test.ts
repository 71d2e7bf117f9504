/** What the record of an error omits, and how it marks the omission. */
import { ApiError, ConnectionError, PaginationError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";

/** `body` as it appears in the record. */
const kept = (body: unknown): unknown => new ApiError("m", { body }).toJSON().body;
const sizeOf = (error: unknown) => new TextEncoder().encode(JSON.stringify(error)).length;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const fieldsOf = (count: number, value: unknown = 1) =>
  Object.fromEntries(numbers(count).map((i) => [`f${i}`, value] as const));

describe("the JSON record of an error", () => {
  it("keeps 2,048 characters of a string, and cuts the rest", () => {
    expect(kept("x".repeat(2_048))).toBe("x".repeat(2_048));
    expect(kept("x".repeat(2_049))).toBe(`${"x".repeat(2_048)}…`);
  });

  it("keeps a list of 21 items; of a longer list it keeps 20 items and the number of the others", () => {
    expect(kept(numbers(21))).toEqual(numbers(21));
    expect(kept(numbers(22))).toEqual([...numbers(20), "and 2 more"]);
    expect(kept(numbers(1_234))).toEqual([...numbers(20), "and 1,214 more"]);
  });

  it("keeps an object of 60 fields; of a larger object it keeps 60 fields and a mark that there are more", () => {
    expect(kept(fieldsOf(60))).toEqual(fieldsOf(60));
    expect(kept(fieldsOf(61))).toEqual({ ...fieldsOf(60), "…": "…" });
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
        expect(sizeOf(new ApiError("m", { body }))).toBeLessThan(65_536);
      }
    },
  );

  it("contains a bigint as a string and a date as in JSON, and omits functions, symbols and undefined fields", () => {
    const body = { big: 10n, at: new Date(0), on: true, none: null, run: () => 1, tag: Symbol("s"), absent: undefined };
    const record = kept(body) as object;
    expect(record).toStrictEqual({ big: "10", at: "1970-01-01T00:00:00.000Z", on: true, none: null });
    expect(kept([1, undefined, () => 1])).toStrictEqual([1, null, null]);
    expect(kept([Number.NaN, Number.POSITIVE_INFINITY, -1 / 0])).toEqual([null, Number.MAX_VALUE, -Number.MAX_VALUE]);
    const names = Object.keys(new ConnectionError("m").toJSON());
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
  const causeOf = (cause: unknown) => new PaginationError("m", { cause }).toJSON().cause;

  it("is absent if it is null", () => {
    expect(new PaginationError("m", { cause: null }).toJSON()).not.toHaveProperty("cause");
  });

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
