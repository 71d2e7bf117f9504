/**
 * How every schema of the library is built. Each of the others goes through this file, so that a change in how
 * objects are compiled, how open an enumeration is or how length is counted is a change of one line.
 */
import * as z from "zod/mini";

/** An object that the service sends: its promised fields are checked, whatever else it carries is kept. */
export const received = z.looseObject;

/** An object that the caller sends: a field that is not named is a mistake. */
export const sent = z.strictObject;

/** A field that may be left out, and that the service may also send as `null`. */
export const absent = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** One of `values`, for what is sent: anything else is refused. */
export const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values);

/** One of `values`, for what is received: the known ones are typed, a value added later passes. */
export const openOneOf = <const T extends readonly string[]>(_values: T) =>
  z.string() as unknown as z.ZodMiniType<T[number] | (string & {}), T[number] | (string & {})>;

/** Characters as a reader counts them: one outside the BMP counts once. */
const characters = (value: string) => [...value].length;

/** A string of at most `max` characters, possibly empty. */
export const text = (max: number) =>
  z.string().check(
    z.refine((value) => value.length <= max || characters(value) <= max, {
      error: (issue) => `expected at most ${max} characters, received ${characters(String(issue.input))}`,
    }),
  );

/** A string that says something: not empty. */
export const filled = () =>
  z.string().check(z.refine((value) => value !== "", { error: "expected a string that is not empty" }));

/** ISO 8601 with an offset, kept as the string that was sent. */
export const timestamp = () => z.iso.datetime({ offset: true });
