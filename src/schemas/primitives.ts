/**
 * The building blocks of every schema of the library. How objects treat unknown fields, how enumerations treat unknown
 * values and how length is counted is decided here alone.
 *
 * These functions have no side effects, so bundlers can drop the schemas that a program does not use.
 *
 * They use only a few parts of zod. Its own formats, enumerations and literals would add a fifth to the size of a
 * user's bundle.
 */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../async/timers.js";
import { kindOf, quoted } from "../checks/format-issues.js";
import { type IssueCode, issueCode } from "../checks/issue-code.js";
import { isRecord } from "../json/is-record.js";
import { responseArray } from "./response-array.js";

/** A zod schema of the type `T`, as `notetaker-sdk` exports one for each type of the service. */
export interface Schema<T> extends z.ZodMiniType<T, T> {}

type OptionalKeys<Fields> = {
  [K in keyof Fields]: Fields[K] extends z.ZodMiniOptional | z.ZodMiniDefault ? K : never;
}[keyof Fields];

// With a type parameter for the keys, an editor shows the comment of each field.
type Outputs<Fields, K extends keyof Fields> = {
  [F in K]: z.output<Fields[F]> | (Fields[F] extends z.ZodMiniDefault ? undefined : never);
};

/** Optional and default fields may be absent. Interfaces extend it, so that editors show the name of the type. */
export type Infer<Fields> = [Exclude<keyof Fields, OptionalKeys<Fields>>] extends [never]
  ? Partial<Outputs<Fields, OptionalKeys<Fields>>>
  : Outputs<Fields, Exclude<keyof Fields, OptionalKeys<Fields>>> & Partial<Outputs<Fields, OptionalKeys<Fields>>>;

/** The schema of each field of `T`: an optional field has an optional schema. */
export type ShapeOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? z.ZodMiniOptional<z.ZodMiniType<Exclude<T[K], undefined>>>
    : z.ZodMiniType<T[K]>;
};

/** An object that the service sends: the fields of `shape` are checked, and further fields are kept. */
/* @__NO_SIDE_EFFECTS__ */
export const responseObject = <T extends object>(shape: ShapeOf<T>): Schema<T> =>
  z.looseObject(shape) as z.ZodMiniType as Schema<T>;

/** An object that the caller passes: an unknown field is an error. */
/* @__NO_SIDE_EFFECTS__ */
export const requestObject = <T extends object>(shape: ShapeOf<T>): Schema<T> =>
  z.strictObject(shape) as z.ZodMiniType as Schema<T>;

/** A field that may be left out, and that the service may also send as `null`. */
/* @__NO_SIDE_EFFECTS__ */
export const nullish = <T>(schema: z.ZodMiniType<T>) =>
  z.optional(z.nullable(schema) as z.ZodMiniType as Schema<T | null>);

/** An option that other code checks. */
/* @__NO_SIDE_EFFECTS__ */
export const unchecked = <T>() => z.optional(z.unknown() as z.ZodMiniType as Schema<T>);

type Accepts<T> = (value: T) => boolean;

/** The schema of a type that zod does not have. `accepts` decides; the message of an issue says `expected`. */
/* @__NO_SIDE_EFFECTS__ */
export const custom = <T>(accepts: Accepts<unknown>, expected: string, code: IssueCode = "invalid"): z.ZodMiniType<T> =>
  z.custom<T>(accepts, { error: ({ input }) => `expected ${expected}, received ${kindOf(input)}`, ...issueCode(code) });

/** Not `instanceof`: a test runner or a framework may have a class of its own. */
const isSignal = (value: unknown) =>
  isRecord(value) && "aborted" in value && typeof value.addEventListener === "function";

export const abortSignal = () => custom<AbortSignal>(isSignal, "an AbortSignal", "wrong_type");

/** One of `values`, for a value that is sent. Any other value is refused. */
/* @__NO_SIDE_EFFECTS__ */
export const enumOf = <const T extends readonly string[]>(values: T): z.ZodMiniType<T[number]> =>
  z.custom<T[number]>((value) => values.includes(value as string), {
    error: ({ input }) =>
      `expected ${values.length === 1 ? "" : "one of "}${values.join(", ")}, received ${quoted(input)}`,
    ...issueCode("not_one_of"),
  });

/** An enumeration in received data. `T` names the known values; a value that the service adds later is accepted. */
/* @__NO_SIDE_EFFECTS__ */
export const openEnum = <T extends string>() => z.string() as z.ZodMiniType as Schema<T>;

/** A check for at most `max` Unicode code points. */
/* @__NO_SIDE_EFFECTS__ */
export const characters = (max: number) =>
  z.refine<string>((value) => !isLongerThan(value, max), {
    error: ({ input }) => `expected at most ${max} characters, received ${countCharacters(input as string)}`,
    ...issueCode("too_long"),
  });

/** A string of at most `max` Unicode code points, possibly empty. */
/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (max: number) => z.string().check(characters(max));

/** A string that `accepts` accepts. The issue names only the kind of the value, which may be part of a conversation. */
/* @__NO_SIDE_EFFECTS__ */
export const stringOf = (accepts: Accepts<string>, expected: string, code: IssueCode = "invalid") =>
  z.string().check(
    z.refine(accepts, {
      error: ({ input }) => `expected ${expected}, received ${kindOf(input)}`,
      ...issueCode(code),
    }),
  );

/* @__NO_SIDE_EFFECTS__ */
export const nonEmptyString = () => stringOf((value) => value !== "", "a string that is not empty", "too_short");

/** A list that the caller passes. */
/* @__NO_SIDE_EFFECTS__ */
export const readonlyArray = <T>(item: z.ZodMiniType<T>): Schema<readonly T[]> =>
  responseArray(item) as z.ZodMiniType as Schema<readonly T[]>;

/** A list with at least one item and at most `max` items. `items` is the word for the items in the message. */
/* @__NO_SIDE_EFFECTS__ */
export const nonEmptyArray = <T>(item: z.ZodMiniType<T>, items: string, max = Number.POSITIVE_INFINITY) =>
  readonlyArray(item).check(
    z.refine((list) => list.length > 0 && list.length <= max, {
      error: ({ input }) =>
        `expected ${max === Number.POSITIVE_INFINITY ? "at least 1" : `1 to ${max}`} ${items}, received ${(input as unknown[]).length}`,
      ...issueCode((list) => ((list as unknown[]).length === 0 ? "too_short" : "too_long")),
    }),
  );

/** An integer in received data. */
/* @__NO_SIDE_EFFECTS__ */
export const integer = () =>
  z.number().check(
    z.refine(Number.isInteger, {
      error: "expected an integer, received a number with a fraction",
      ...issueCode("wrong_type"),
    }),
  ) as Schema<number>;

/** A number that the caller passes. A number outside of the range, as far as one is stated, is too small or too large. */
/* @__NO_SIDE_EFFECTS__ */
export const numberOf = (
  accepts: Accepts<number>,
  expected: string,
  [min, max = Number.POSITIVE_INFINITY]: readonly [min: number, max?: number] = [Number.NEGATIVE_INFINITY],
): Schema<number> =>
  z.custom<number>((value) => typeof value === "number" && accepts(value), {
    error: ({ input }) => `expected ${expected}, received ${quoted(input)}`,
    ...issueCode((value) => {
      if (typeof value !== "number") return "wrong_type";
      if (value < min) return "too_small";
      return value > max ? "too_large" : "invalid";
    }),
  });

/** A timestamp. The string is kept as received. */
/* @__NO_SIDE_EFFECTS__ */
export const timestamp = () => stringOf(isTimestamp, "an ISO 8601 timestamp");

/** A calendar date that the caller passes. */
/* @__NO_SIDE_EFFECTS__ */
export const date = () =>
  z.string().check(
    z.refine(isCalendarDate, {
      error: ({ input }) => `expected a calendar date of the form YYYY-MM-DD, received ${quoted(input)}`,
    }),
  );

export const functionSchema = /* @__PURE__ */ custom(
  (value) => typeof value === "function",
  "a function",
  "wrong_type",
);

export const functionOf = <F>() => functionSchema as z.ZodMiniType as Schema<F>;

/* @__NO_SIDE_EFFECTS__ */
export const objectWith = (...methods: readonly string[]) =>
  custom(
    (value) => isRecord(value) && methods.every((method) => typeof value[method] === "function"),
    `an object with the methods ${methods.join(", ")}`,
    "wrong_type",
  );

/** A duration in milliseconds or a size, as an option: at least 1, and at most the longest delay of a timer. */
export const positiveNumber = /* @__PURE__ */ numberOf(
  (value) => value >= 1 && value <= MAX_TIMER_MS,
  `a number from 1 to ${MAX_TIMER_MS}`,
  [1, MAX_TIMER_MS],
);

export const positiveInteger = /* @__PURE__ */ numberOf(
  (value) => Number.isInteger(value) && value >= 1 && value <= MAX_TIMER_MS,
  `a whole number from 1 to ${MAX_TIMER_MS}`,
  [1, MAX_TIMER_MS],
);

/** The length in Unicode code points, in which the service's limits are counted: 😀 counts once. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Whether `text` has more than `max` code points. Also fast for a very long text. */
export const isLongerThan = (text: string, max: number): boolean =>
  // A code point takes one or two units of a string's length.
  text.length > max && (text.length > 2 * max || countCharacters(text) > max);

/** The usual form of a timestamp. `Date` would accept it as well, but takes four times as long. */
const USUAL_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** A day and a time, and perhaps an offset, in the forms of ISO 8601 that `Date` reads otherwise or not at all. */
const DAY_AND_TIME = /^([+-]?\d{4,6}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:z|([+-]\d\d):?(\d\d)?)?$/i;

/** Milliseconds since 1970, or `NaN`. Without an offset, it is UTC, where `Date` would take the local zone. */
export const parseTimestamp = (text: string): number =>
  Date.parse(
    text.replace(
      DAY_AND_TIME,
      (_, day: string, time: string, hours?: string, minutes = "00") =>
        `${day}T${time.replace(",", ".")}${hours === undefined ? "Z" : `${hours}:${minutes}`}`,
    ),
  );

/** Whether `text` is a timestamp. The API specification says only "ISO 8601", so no stricter form is required. */
export const isTimestamp = (text: string): boolean => USUAL_FORM.test(text) || !Number.isNaN(parseTimestamp(text));

export const isCalendarDate = (text: string): boolean =>
  // `Date` reads a day that does not exist as another day, or as invalid.
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
