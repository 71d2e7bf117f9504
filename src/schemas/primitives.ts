/**
 * How every schema of the library is built. Each of the others goes through this file, so that a change in how objects
 * are compiled, how open an enumeration is or how length is counted is a change of one line.
 *
 * A call of any of them does nothing but build: bundlers may drop the schemas that a program does not use.
 *
 * Of zod only the parts are used that the rest needs anyway: its own formats, enumerations and literals would add a
 * fifth to the size of a user's bundle.
 */
import * as z from "zod/mini";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * An object that the service sends: its promised fields are checked, whatever else it carries is kept. The type names
 * the promised fields alone, so that a misspelt one is a type error.
 */
/* @__NO_SIDE_EFFECTS__ */
export const responseObject = <T extends Shape>(shape: T) =>
  z.looseObject(shape) as unknown as z.ZodMiniObject<{ -readonly [K in keyof T]: T[K] }, z.core.$strip>;

/** A received object of which the interface shows little: its other fields are typed, as `unknown`. */
/* @__NO_SIDE_EFFECTS__ */
export const openObject = <T extends Shape>(shape: T) => z.looseObject(shape);

/** An object that the caller sends: a field that is not named is a mistake. */
/* @__NO_SIDE_EFFECTS__ */
export const requestObject = <T extends Shape>(shape: T) => z.strictObject(shape);

/** A schema for each key of `Options`, optional ones included, so that a forgotten key does not compile. */
export type OptionsShape<Options> = { readonly [K in keyof Required<Options>]: z.core.$ZodType };

/**
 * The schema of an option bag, typed against its interface: `optionsSchema<WaitOptions>()({ pollMs: …, … })`. A key
 * that the interface does not name is a mistake of the caller.
 */
/* @__NO_SIDE_EFFECTS__ */
export const optionsSchema =
  <Options>() =>
  <T extends OptionsShape<Options>>(shape: T & { readonly [K in Exclude<keyof T, keyof Options>]: never }) =>
    requestObject(shape);

/** A field that may be left out, and that the service may also send as `null`. */
/* @__NO_SIDE_EFFECTS__ */
export const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** A type of value that zod does not know: `accepts` decides, `expected` is what the issue says. */
/* @__NO_SIDE_EFFECTS__ */
export const custom = <T>(accepts: (value: unknown) => boolean, expected: string) =>
  z.custom<T>(accepts, { error: `expected ${expected}` });

/** Narrows what `schema` lets through. */
/* @__NO_SIDE_EFFECTS__ */
const refined = <T extends z.ZodMiniType>(schema: T, accepts: (value: z.core.output<T>) => boolean, expected: string) =>
  schema.check(z.refine(accepts, { error: `expected ${expected}` }));

/** One of `values`, for what is sent: anything else is refused. */
/* @__NO_SIDE_EFFECTS__ */
export const enumOf = <const T extends readonly string[]>(values: T) =>
  z.custom<T[number]>((value) => values.includes(value as string), {
    error: ({ input }) => `expected ${values.join(", ")}${typeof input === "string" ? `, received "${input}"` : ""}`,
  });

/** One of the values of a list, for what is received: the known ones are typed, a value added later passes. */
/* @__NO_SIDE_EFFECTS__ */
export const openEnum = <T extends readonly string[]>() =>
  z.string() as unknown as z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})>;

/** A prefix-style id, for what is received. */
/* @__NO_SIDE_EFFECTS__ */
export const idOf = <const P extends string>(prefix: P) =>
  refined(z.string(), (value) => value.startsWith(prefix), `an id of the form ${prefix}…`) as unknown as z.ZodMiniType<
    `${P}${string}`,
    `${P}${string}`
  >;

/** A string of at most `max` characters as a reader counts them (one outside the BMP counts once), possibly empty. */
/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (max: number) =>
  refined(z.string(), (value) => [...value].length <= max, `at most ${max} characters`);

/** A string that says something: not empty. */
/* @__NO_SIDE_EFFECTS__ */
export const nonEmptyString = () => refined(z.string(), (value) => value !== "", "a string that is not empty");

/** A string that `accepts` takes. */
/* @__NO_SIDE_EFFECTS__ */
export const stringOf = (accepts: (value: string) => boolean, expected: string) =>
  refined(z.string(), accepts, expected);

/** A list that the caller sends. */
/* @__NO_SIDE_EFFECTS__ */
export const readonlyArray = <T extends z.ZodMiniType>(item: T) =>
  z.array(item) as unknown as z.ZodMiniType<readonly z.core.output<T>[], readonly z.core.input<T>[]>;

/** A list with something in it. */
/* @__NO_SIDE_EFFECTS__ */
export const nonEmptyArray = <T extends z.ZodMiniType>(item: T, expected: string) =>
  refined(readonlyArray(item), (items) => items.length > 0, expected);

/* @__NO_SIDE_EFFECTS__ */
export const integer = () => refined(z.number(), Number.isInteger, "an integer");

/* @__NO_SIDE_EFFECTS__ */
export const numberOf = (accepts: (value: number) => boolean, expected: string) =>
  refined(z.number(), accepts, expected);

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 with an offset, kept as the string that was sent. */
/* @__NO_SIDE_EFFECTS__ */
export const timestamp = () =>
  stringOf(
    (value) => TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
    "an ISO 8601 timestamp with an offset",
  );

/** A calendar date of the form YYYY-MM-DD that exists. */
/* @__NO_SIDE_EFFECTS__ */
export const date = () =>
  stringOf(
    // What does not exist is `null`, or another date.
    (value) => new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value,
    "a calendar date of the form YYYY-MM-DD",
  );
