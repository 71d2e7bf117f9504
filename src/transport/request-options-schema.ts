/** The options of a call, as they are checked before it is sent. */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../async/timer-limit.js";
import { custom, numberOf, requestObject } from "../schemas/primitives.js";

/** An object of named values. A list, a `Map`, `Headers` and their like have none: they would be taken as empty. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(Symbol.iterator in value);

/** `given` without some of its fields. What is no object stays as it is: the call refuses it, and never throws. */
export function without<T extends object, F extends keyof T>(given: T, ...fields: F[]): Omit<T, F> {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !fields.includes(name as F))) as Omit<T, F>;
}

const milliseconds = numberOf(
  (value) => value > 0 && value <= MAX_TIMER_MS,
  `milliseconds, above 0 and up to ${MAX_TIMER_MS}`,
);

/** Limits that the client and each call have. */
export const limits = {
  timeoutMs: z.optional(milliseconds),
  deadlineMs: z.optional(milliseconds),
  maxRetries: z.optional(numberOf((value) => Number.isInteger(value) && value >= 0, "an integer of 0 or more")),
};

const isScalar = (value: unknown) => ["string", "number", "boolean", "undefined"].includes(typeof value);
const isQuery = (value: unknown) =>
  isObject(value) && Object.values(value).every((one) => (Array.isArray(one) ? one.every(isScalar) : isScalar(one)));

/** A `Headers`, pairs, or a record; a string can be iterated, too, and is none of them. */
export const isHeaders = (value: unknown) => typeof value === "object" && value !== null;

/** Members of `init` that are the client's own. */
const OWN_INIT_MEMBERS = ["method", "headers", "body", "signal", "redirect"];

export const fetchOptionsSchema = z.optional(
  z.custom<Readonly<Record<string, unknown>>>(
    (value) => isObject(value) && !OWN_INIT_MEMBERS.some((name) => name in value),
    { error: `expected an object without ${OWN_INIT_MEMBERS.join(", ")}` },
  ),
);

export const requestOptions = {
  ...limits,
  signal: z.optional(custom<AbortSignal>((value) => isObject(value) && "aborted" in value, "an AbortSignal")),
  headers: z.optional(custom(isHeaders, "a Headers, pairs or an object of strings")),
  fetchOptions: fetchOptionsSchema,
  query: z.optional(custom(isQuery, "an object of plain values and arrays")),
};

export const aFunction = custom((value) => typeof value === "function", "a function");

export const requestOptionsSchema = requestObject(requestOptions);
