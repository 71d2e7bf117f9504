/** `surelyValid`, the fast check before zod, agrees with zod for valid, nearly valid and any other values. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as full from "zod";
import * as z from "zod/mini";
import { clientOptionsSchema } from "../../src/configuration/client-options.js";
import { automationSchema } from "../../src/schemas/automation.js";
import { eventBotResultSchema, sendBotResultSchema } from "../../src/schemas/bot.js";
import { documentSchema } from "../../src/schemas/document.js";
import { expandedSchemas } from "../../src/schemas/expansion.js";
import { meetingExpansions, meetingFields, meetingSchema } from "../../src/schemas/meeting.js";
import { upcomingMeetingsSchema } from "../../src/schemas/meeting-list.js";
import { plainPage } from "../../src/schemas/page-rows.js";
import { parse } from "../../src/schemas/parse.js";
import { permissionPageSchema, permissionSchema } from "../../src/schemas/permission.js";
import { integer, isTimestamp, nullish, responseObject, timestamp } from "../../src/schemas/primitives.js";
import { recordingLinkSchema } from "../../src/schemas/recording.js";
import { responseArray } from "../../src/schemas/response-array.js";
import { roomExpansions, roomFields, roomSchema } from "../../src/schemas/room.js";
import { surelyValid } from "../../src/schemas/surely-valid.js";
import { transcriptSchema } from "../../src/schemas/transcript.js";
import { uploadResultSchema } from "../../src/schemas/upload.js";
import { createdWebhookSchema, webhookListSchema } from "../../src/schemas/webhook.js";
import { listOptionsSchema } from "../../src/transport/list-options.js";
import { requestOptionsSchema } from "../../src/transport/request-options.js";
import { runs } from "../support/property-seed.js";

type AnySchema = z.core.$ZodType<unknown>;

const RESPONSE_SCHEMAS: readonly (readonly [name: string, schema: AnySchema])[] = [
  ["automation", automationSchema],
  ["the result of sendBot", sendBotResultSchema],
  ["the result of scheduleBot", eventBotResultSchema],
  ["document", documentSchema],
  ["meeting", meetingSchema],
  ["meeting with documents", expandedSchemas(meetingFields, meetingExpansions)(["documents"])],
  ["upcoming meetings", upcomingMeetingsSchema],
  ["page of permissions", permissionPageSchema(permissionSchema)],
  ["recording link", recordingLinkSchema],
  ["page of rooms", plainPage(roomSchema)],
  ["room with all", expandedSchemas(roomFields, roomExpansions)(["documents", "meetings"])],
  ["transcript", transcriptSchema],
  ["the result of upload", uploadResultSchema],
  ["webhooks", webhookListSchema],
  ["webhook with its secret", createdWebhookSchema],
];

const ids = fc.constantFrom("mtg_1", "room_1", "doc_1", "spk_1", "whk_1", "evt_1");
const moments = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>;
const texts = fc.oneof(ids, moments, fc.string(), fc.constantFrom("2026-02-30T10:00:00Z", "2026-01-02", "mtg", "x"));
const numbers = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Values that `schema` accepts, generated from the schema; zod filters the values with checks. */
function validValues(schema: AnySchema): fc.Arbitrary<unknown> {
  const accepted = (values: fc.Arbitrary<unknown>) => values.filter((value) => z.safeParse(schema, value).success);
  const { type, innerType, shape, checks } = schema._zod.def as unknown as {
    type: string;
    innerType: AnySchema;
    shape: Record<string, AnySchema>;
    checks?: { _zod: { def: { item?: AnySchema } } }[];
  };
  if (type === "string") return accepted(texts);
  if (type === "number") return accepted(numbers);
  if (type === "boolean") return fc.boolean();
  if (type === "optional" || type === "default") return validValues(innerType);
  if (type === "nullable") return fc.option(validValues(innerType), { nil: null });
  const item = checks?.[0]?._zod.def.item;
  if (item !== undefined) return fc.array(validValues(item), { maxLength: 3 });
  if (type !== "object") throw new Error(`no values of the type ${type}`);
  const requiredKeys = Object.keys(shape).filter((name) => shape[name]?._zod.optin !== "optional");
  const known = fc.record(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, validValues(field)])),
    { requiredKeys },
  );
  const others = fc.dictionary(
    fc.string().map((name) => `x_${name}`),
    anyJson,
    { maxKeys: 2 },
  );
  const inOrder = fc.tuple(known, others).map(([fields, more]) => Object.entries({ ...more, ...fields }));
  const inAnyOrder = inOrder.chain((entries) => fc.shuffledSubarray(entries, { minLength: entries.length }));
  // The value as `JSON.parse` creates it.
  return fc.oneof(inOrder, inAnyOrder).map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))));
}

type Place = { readonly owner: Record<string, unknown>; readonly key: string };

/** Every field and item of a value. */
function placesOf(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...placesOf(owner[key])]);
}

const define = (owner: object, key: string, value: unknown) =>
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });

type Change = (place: Place) => unknown;

/** A change of an object. JSON has no arrays with holes or named fields. */
const ofObject =
  (change: Change): Change =>
  (place) =>
    Array.isArray(place.owner) || change(place);

/** Unusual values that JSON can represent. */
const jsonChanges: fc.Arbitrary<Change> = fc.oneof(
  fc.oneof(anyJson, texts, fc.constantFrom(null, 1.5, "", [], {}, [null])).map((value) => {
    return ({ owner, key }: Place) => define(owner, key, value);
  }),
  fc.constant(ofObject(({ owner, key }) => delete owner[key])),
  fc.constant(ofObject(({ owner }) => define(owner, "__proto__", { id: 7 }))),
  fc.string().map((name) => ofObject(({ owner }) => define(owner, name, name))),
);

/** Values that JSON cannot represent. */
const otherChanges: fc.Arbitrary<Change> = fc
  .constantFrom<unknown>(
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol("s"),
    () => {},
    new Date(0),
    new Map(),
    Object.create(null),
    Object.create({ id: "mtg_1" }),
    // biome-ignore lint/suspicious/noSparseArray: the test needs a sparse array
    [, 1],
    new String("mtg_1"),
  )
  .map(
    (value) =>
      ({ owner, key }: Place) =>
        define(owner, key, value),
  );

const withChange = (schema: AnySchema, changes: fc.Arbitrary<Change>) =>
  fc.tuple(validValues(schema), changes, fc.nat()).map(([value, change, index]) => {
    const root = { value };
    const places = placesOf(root);
    const place = places[index % places.length];
    if (place !== undefined) change(place);
    return root.value;
  });

/** Whether zod accepts the value and returns it unchanged. */
function zodReturns(schema: AnySchema, value: unknown): boolean {
  const result = z.safeParse(schema, value);
  return result.success && isDeepStrictEqual(result.data, value);
}

const fewRuns = { numRuns: runs(60) };

describe.each(RESPONSE_SCHEMAS)("surelyValid for the response schema %s", (_name, schema) => {
  it("accepts a valid value, which is then returned as the same object", () => {
    fc.assert(
      fc.property(validValues(schema), (value) => {
        expect(surelyValid(schema, value)).toBe(true);
        expect(parse(schema, value).data).toBe(value);
        expect(zodReturns(schema, value)).toBe(true);
      }),
      fewRuns,
    );
  });

  it("accepts exactly the changed values that zod returns unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(withChange(schema, jsonChanges), anyJson), (value) => {
        expect(surelyValid(schema, value)).toBe(zodReturns(schema, value));
        expect(parse(schema, value)).toEqual(z.safeParse(schema, value));
      }),
      { numRuns: runs(150) },
    );
  });

  it("accepts a value that JSON cannot represent only if zod returns it unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(withChange(schema, otherChanges), fc.anything({ withNullPrototype: true })), (value) => {
        if (surelyValid(schema, value)) expect(zodReturns(schema, value)).toBe(true);
      }),
      fewRuns,
    );
  });
});

const text = z.string();
const OTHER_SCHEMAS: readonly (readonly [name: string, schema: AnySchema])[] = [
  ["an object that drops unknown fields", z.object({ a: text })],
  ["an object that refuses unknown fields", z.strictObject({ a: text })],
  ["an object with checked other fields", z.catchall(z.object({ a: text }), z.number())],
  ["an array of zod", z.array(text)],
  ["a format", z.email()],
  ["an integer of zod", z.int()],
  ["a coerced string", full.coerce.string()],
  ["a trimmed string", z.string().check(z.trim())],
  ["a transformed string", full.string().transform((value) => `${value}!`)],
  ["a literal", z.literal("x")],
  ["a union", z.union([text, z.number()])],
  ["a default", z.looseObject({ a: z._default(text, "x") })],
  ["a default of anything", z.looseObject({ a: z._default(z.unknown(), "x") })],
  ["an optional default", z.looseObject({ a: z.optional(z._default(text, "x")) })],
  ["an optional that may not be undefined", z.looseObject({ a: full.string().exactOptional() })],
  ["a checked optional", z.looseObject({ a: z.optional(text).check(z.refine((value) => value !== undefined)) })],
  ["a checked nullable", z.looseObject({ a: z.nullable(text).check(z.refine((value) => value !== null)) })],
  ["a checked unknown", z.looseObject({ a: z.unknown().check(z.refine((value) => value !== null)) })],
  ["two checks", z.looseObject({ a: integer().check(z.refine((value) => value > 1)) })],
  ["an optional nullable list", z.looseObject({ a: nullish(responseArray(nullish(text))) })],
];

it.each(OTHER_SCHEMAS)("surelyValid for %s accepts only values that zod returns unchanged", (_name, schema) => {
  const values = fc.oneof(
    texts,
    numbers,
    fc.constantFrom<unknown>(null, undefined, true, [], ["a"], [undefined], [null]),
  );
  const objects = fc.record({ a: values, b: values }, { requiredKeys: [] }).map((value) => ({ ...value }));
  fc.assert(
    fc.property(fc.oneof(values, objects), (value) => {
      if (surelyValid(schema, value)) expect(zodReturns(schema, value)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

const OPTION_SCHEMAS: readonly (readonly [name: string, schema: AnySchema, usual: object])[] = [
  [
    "a client",
    clientOptionsSchema,
    { baseUrl: "https://api.example.com/v1", token: "t", timeoutMs: 1, fetch, headers: { a: "b" }, middleware: [] },
  ],
  ["a call", requestOptionsSchema, { signal: new AbortController().signal, maxRetries: 0, query: { a: [1] } }],
  ["a list", listOptionsSchema, { prefetch: true, onInvalid: "skip", deadlineMs: 5 }],
];

describe.each(OPTION_SCHEMAS)("surelyValid for the options of %s", (_name, schema, usual) => {
  it("accepts valid options, and leaves an unknown name, an undefined value and a wrong value to zod", () => {
    expect(surelyValid(schema, usual)).toBe(true);
    expect(surelyValid(schema, {})).toBe(true);
    expect(surelyValid(schema, { ...usual, unknown: 1 })).toBe(false);
    expect(surelyValid(schema, { ...usual, timeoutMs: undefined })).toBe(false);
    expect(surelyValid(schema, { ...usual, timeoutMs: 0 })).toBe(false);
  });

  it("never accepts options that zod refuses", () => {
    const { shape } = schema._zod.def as unknown as { shape: object };
    const names = fc.constantFrom(...Object.keys(shape), "unknown", "__proto__", "constructor");
    const values = fc.oneof(
      fc.constantFrom<unknown>(...Object.values(usual), null, undefined, true, "strict", 0, -1, 1.5, Number.NaN, ""),
      fc.anything({ withNullPrototype: true }),
    );
    const bags = fc
      .oneof(fc.dictionary(names, values, { maxKeys: 4 }), values, fc.constant(usual))
      .map((bag) => (typeof bag === "object" && bag !== null ? { ...bag } : bag));
    fc.assert(
      fc.property(bags, (bag) => {
        if (surelyValid(schema, bag)) expect(z.safeParse(schema, bag).success).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

const ORDERS: readonly (readonly [name: string, json: string, isRight: boolean])[] = [
  ["all fields in the order of the schema", '{"a":"x","b":1,"c":"y","d":2}', true],
  ["the fields in another order", '{"d":2,"c":"y","b":1,"a":"x"}', true],
  ["unknown fields first, between and last", '{"x":1,"a":"x","y":1,"b":1,"c":"y","z":null}', true],
  ["no optional field", '{"a":"x","c":"y"}', true],
  ["a wrong optional field after a later field", '{"a":"x","c":"y","b":"1"}', false],
  ["a wrong required field after an unknown field", '{"a":"x","b":1,"x":1,"c":2}', false],
  ["a wrong optional field at the end", '{"a":"x","b":1,"c":"y","d":"2"}', false],
  ["no required field at the end", '{"a":"x","b":1}', false],
  ["no required field at the start", '{"b":1,"c":"y"}', false],
  ["its own __proto__ field at the end", '{"a":"x","b":1,"c":"y","d":2,"__proto__":{}}', false],
  ["its own __proto__ field at the start", '{"__proto__":{},"a":"x","b":1,"c":"y"}', false],
  ["its own __proto__ field after an unknown field", '{"a":"x","c":"y","x":1,"__proto__":null}', false],
];

it.each(ORDERS)("surelyValid agrees with zod about an object with %s", (_name, json, isRight) => {
  const schema = z.looseObject({ a: text, b: z.optional(z.number()), c: text, d: z.optional(z.number()) });
  const value: unknown = JSON.parse(json);
  expect(surelyValid(schema, value)).toBe(isRight);
  expect(zodReturns(schema, value)).toBe(isRight);
});

it("surelyValid accepts values of any length and depth", () => {
  const segment = { speaker_id: "spk_1", start_time: 0, end_time: 1, text: "" };
  let deep: unknown = [];
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  const transcript = {
    meeting_id: "mtg_1",
    language: "en",
    speakers: [],
    segments: Array.from({ length: 300_000 }, () => segment),
    more: deep,
  };
  expect(surelyValid(transcriptSchema, transcript)).toBe(true);
  expect(surelyValid(transcriptSchema, { ...transcript, language: deep })).toBe(false);
});

it("surelyValid lets an error of a refinement through, as zod does", () => {
  const schema = responseObject<{ a: string }>({
    a: z.string().check(
      z.refine(() => {
        throw new RangeError("no");
      }),
    ),
  });
  expect(() => parse(schema, { a: "x" })).toThrow(RangeError);
});

it("the timestamps that surelyValid accepts are valid for Date", () => {
  const digits = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, "0"));
  const parts = fc.tuple(fc.integer({ min: 0, max: 9999 }), digits(13), digits(32), digits(25), digits(61), digits(61));
  const ends = fc.constantFrom("Z", "+00:00", "-14:59", "+19:00", "", "+0100", ".5Z", ".123456+02:00", ".Z", "z");
  fc.assert(
    fc.property(parts, ends, ([year, month, day, hour, minute, second], end) => {
      const value = `${String(year).padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}${end}`;
      expect(isTimestamp(value)).toBe(!Number.isNaN(Date.parse(value)));
      expect(surelyValid(timestamp(), value)).toBe(isTimestamp(value));
    }),
    { numRuns: runs(2_000) },
  );
});
