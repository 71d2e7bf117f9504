/**
 * `surelyValid`, the fast check before zod, for schemas that it sees for the first time: its rules are created once for
 * each schema.
 */
import { describe, expect, it } from "vitest";
import * as full from "zod";
import * as z from "zod/mini";
import { pageSchema } from "../../src/schemas/page.js";
import { permissionPageSchema } from "../../src/schemas/permission.js";
import { nullish } from "../../src/schemas/primitives.js";
import { responseArray } from "../../src/schemas/response-array.js";
import { surelyValid } from "../../src/schemas/surely-valid.js";

const text = () => z.string();
const above = (min: number) => z.refine<number>((value) => value > min);
const field = (schema: z.core.$ZodType) => z.looseObject({ a: schema });

interface Row {
  title: string;
  schema: () => z.core.$ZodType;
  /** Values that are certainly valid. */
  yes: unknown[];
  /** Values that are invalid, or that only zod can check. */
  no: unknown[];
}

it.each<Row>([
  { title: "a string", schema: text, yes: ["a", ""], no: [5, true, null, undefined, {}] },
  {
    title: "a number",
    schema: () => z.number(),
    yes: [5, -1.5],
    no: ["5", Number.NaN, Number.POSITIVE_INFINITY, null],
  },
  { title: "a boolean", schema: () => z.boolean(), yes: [true, false], no: ["true", 0, null] },
  { title: "anything", schema: () => z.unknown(), yes: [5, null, {}], no: [undefined] },
  {
    title: "a custom type",
    schema: () => z.custom((value) => value === "x"),
    yes: ["x"],
    no: ["y", null, undefined],
  },
  { title: "a nullable type", schema: () => z.nullable(text()), yes: ["a", null], no: [5, undefined] },
  {
    title: "a required field",
    schema: () => field(text()),
    yes: [{ a: "x", b: 1 }],
    no: [{}, { a: 5 }, { a: undefined }],
  },
  {
    title: "an optional field",
    schema: () => field(z.optional(text())),
    yes: [{ a: "x" }, {}],
    no: [{ a: undefined }, { a: null }, { a: 5 }],
  },
  {
    title: "an optional nullable field",
    schema: () => field(nullish(text())),
    yes: [{ a: null }, {}],
    no: [{ a: 5 }],
  },
  {
    title: "a nullable that is optional",
    schema: () => field(z.nullable(z.optional(text()))),
    yes: [{ a: null }, {}, { a: "x" }],
    no: [{ a: 5 }],
  },
  {
    title: "a field with a default",
    schema: () => field(z._default(text(), "x")),
    yes: [{ a: "y" }],
    no: [{}, { a: null }],
  },
  {
    title: "a nullable with a default",
    schema: () => field(z._default(z.nullable(text()), "x")),
    yes: [{ a: null }],
    no: [{}],
  },
  {
    title: "an optional default",
    schema: () => field(z.optional(z._default(text(), "x"))),
    yes: [{ a: "y" }],
    no: [{}],
  },
  { title: "an object that drops other fields", schema: () => z.object({ a: text() }), yes: [], no: [{ a: "x" }] },
  {
    title: "an object without other fields",
    schema: () => z.strictObject({ a: text() }),
    yes: [{ a: "x" }],
    no: [{ a: "x", b: 1 }, {}],
  },
  {
    title: "other fields of a type",
    schema: () => z.catchall(z.object({ a: text() }), z.number()),
    yes: [],
    no: [{ a: "x" }],
  },
  {
    title: "other fields with a check",
    schema: () => z.catchall(z.object({ a: text() }), z.unknown().check(z.refine(() => false))),
    yes: [],
    no: [{ a: "x" }, { a: "x", b: 1 }],
  },
  {
    title: "a list of the library",
    schema: () => responseArray(text()),
    yes: [[], ["a", "b"]],
    no: [["a", 5], [undefined], {}, null, "a"],
  },
  { title: "an array of zod", schema: () => z.array(text()), yes: [], no: [["a"]] },
  { title: "a format", schema: () => z.email(), yes: [], no: ["a@b.example"] },
  { title: "an integer of zod", schema: () => z.int(), yes: [], no: [5] },
  { title: "a coerced string", schema: () => full.coerce.string(), yes: [], no: ["a"] },
  { title: "a trimmed string", schema: () => text().check(z.trim()), yes: [], no: ["a"] },
  {
    title: "two checks",
    schema: () =>
      z
        .number()
        .check(above(1))
        .check(z.refine((value) => value < 5)),
    yes: [3],
    no: [0, 9, "3"],
  },
  {
    title: "a custom type with a check",
    schema: () => z.custom<number>((value) => value !== 3).check(above(1)),
    yes: [2],
    no: [0, 3],
  },
  {
    title: "a check that returns another value than true",
    schema: () => text().check(z.refine(() => 1 as never)),
    yes: [],
    no: ["a"],
  },
  {
    title: "a first check that returns another value than true",
    schema: () =>
      text()
        .check(z.refine(() => 1 as never))
        .check(z.refine(() => true)),
    yes: [],
    no: ["a"],
  },
  {
    title: "a conditional check",
    schema: () => text().check(z.refine(() => true, { when: () => false })),
    yes: [],
    no: ["a"],
  },
  { title: "a checked nullable", schema: () => z.nullable(text()).check(z.refine(() => true)), yes: ["a"], no: [null] },
  {
    title: "a checked optional field",
    schema: () => field(z.optional(text()).check(z.refine(() => true))),
    yes: [{ a: "x" }],
    no: [{}],
  },
])("surelyValid is right about $title", ({ schema, yes, no }) => {
  for (const value of yes) expect(surelyValid(schema(), value), JSON.stringify(value)).toBe(true);
  for (const value of no) expect(surelyValid(schema(), value), String(value)).toBe(false);
});

describe("surelyValid, for an object schema,", () => {
  const schema = () => field(z.optional(text()));

  it("accepts only objects whose prototype is Object.prototype, without a __proto__ field", () => {
    expect(surelyValid(schema(), {})).toBe(true);
    for (const value of [Object.create(null), Object.create({}), new Date(0), [], JSON.parse('{"__proto__":{}}')])
      expect(surelyValid(schema(), value)).toBe(false);
  });

  it("also works if Object.prototype has no __proto__", () => {
    const accessor = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__") as PropertyDescriptor;
    Reflect.deleteProperty(Object.prototype, "__proto__");
    let answers: boolean[];
    try {
      answers = [{ a: "x" }, JSON.parse('{"__proto__":{}}'), Object.create(null)].map((value) =>
        surelyValid(schema(), value),
      );
    } finally {
      Object.defineProperty(Object.prototype, "__proto__", accessor);
    }
    expect(answers).toEqual([true, false, false]);
  });
});

it("pageSchema checks the fields of a page and its rows", () => {
  const page = { data: ["a"], next_cursor: null, has_more: false };
  const refused = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).error?.issues.length ?? 0;
  expect(refused(pageSchema(text()), page)).toBe(0);
  expect(refused(pageSchema(text()), { data: ["a"], has_more: false })).toBe(0);
  expect(refused(pageSchema(text()), {})).toBe(2);
  expect(refused(pageSchema(text()), { ...page, data: [5], next_cursor: 5, has_more: 5 })).toBe(3);
  expect(refused(permissionPageSchema(text()), { ...page, share_url: "u" })).toBe(0);
  expect(refused(permissionPageSchema(text()), { ...page, data: [5] })).toBe(2);
});
