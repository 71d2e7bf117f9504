/**
 * Checks the options, seeds and files that a user passes to the emulator. They may come from JavaScript or JSON, which
 * no compiler checks.
 */
import * as z from "zod/mini";
import { expectedType, formatPath } from "../schemas/format-issues.js";
import { custom, numberOf, type OptionsShape } from "../schemas/primitives.js";
import { unknownName } from "../schemas/unknown-name.js";
import { type Mistake, mistakesError } from "./emulator-error.js";

/**
 * The schema of an object without other fields, typed against its interface: `closedObject<RoomSeed>()({ title: …, …
 * })`. A shape that lacks a field does not compile. The message for an unknown field suggests a similar one.
 */
export const closedObject =
  <T>(noun = "field") =>
  (shape: OptionsShape<T>): z.ZodMiniType<T> =>
    z.strictObject(shape, {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? (issue.keys as string[]).map((key) => unknownName(key, Object.keys(shape), noun)).join("\n")
          : undefined,
    }) as unknown as z.ZodMiniType<T>;

/** Whether `port` is a valid port to listen on; 0 is any free port. */
export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;

export const isPositiveInteger = (value: number): boolean => Number.isInteger(value) && value >= 1;

/** A duration, possibly 0. */
export const milliseconds = numberOf((ms) => Number.isFinite(ms) && ms >= 0, "milliseconds from 0 up");

/** An optional function. */
export const callback = () => z.optional(custom<never>((value) => typeof value === "function", "a function"));

/** One schema for strings, another for everything else. For a value that is an id or the record itself. */
export const stringOr = <T>(text: z.ZodMiniType<string>, other: z.ZodMiniType<T>): z.ZodMiniType<string | T> =>
  z.unknown().check((payload) => {
    const { value, issues } = payload;
    const mistakes = rawMistakes(typeof value === "string" ? text : other, value);
    for (const { path, message } of mistakes) issues.push({ code: "custom", input: value, path, message });
  }) as unknown as z.ZodMiniType<string | T>;

/** Every mistake in `value`, with its path. */
export const mistakesIn = (schema: z.ZodMiniType, value: unknown): Mistake[] =>
  rawMistakes(schema, value).map(({ path, message }) => ({ path: formatPath(path), message }));

/** Throws an error of `operation` that names every mistake in `value`. */
export function checkValue(operation: string, schema: z.ZodMiniType, value: unknown): void {
  const mistakes = mistakesIn(schema, value);
  if (mistakes.length > 0) throw mistakesError(operation, mistakes);
}

function rawMistakes(schema: z.ZodMiniType, value: unknown): { path: PropertyKey[]; message: string }[] {
  const result = z.safeParse(schema, value);
  return (result.error?.issues ?? []).flatMap((issue) => {
    const { path } = issue;
    if (issue.code !== "unrecognized_keys") return [{ path, message: messageOf(issue, value) }];
    const messages = issue.message.split("\n");
    return issue.keys.map((key, index) => ({ path: [...path, key], message: messages[index] ?? "unknown field" }));
  });
}

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code !== "invalid_type") return issue.message;
  let part = value;
  for (const key of issue.path) part = (part as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return expectedType(issue.expected, part);
}
