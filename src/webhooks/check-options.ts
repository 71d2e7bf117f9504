/**
 * Checks the options of this entry point's functions. The checks are written by hand, because the entry point loads no
 * schema library.
 */
import { MAX_TIMER_MS } from "../async/timers.js";
import { ConfigurationError } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { kindOf, quoted } from "../schemas/format-issues.js";
import { unknownName } from "../schemas/unknown-name.js";

/** Returns what was expected, or `undefined` if `value` is valid. It is never called with `undefined`. */
export type OptionCheck = (value: unknown) => string | undefined;

/** A check for each option. A table that lacks an option does not compile. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };

/** A count or a duration: at least 1, and at most the longest delay of a timer. */
export const positiveNumber: OptionCheck = (value) =>
  typeof value === "number" && value >= 1 && value <= MAX_TIMER_MS ? undefined : `a number from 1 to ${MAX_TIMER_MS}`;

export const functionValue: OptionCheck = (value) => (typeof value === "function" ? undefined : "a function");

export const booleanValue: OptionCheck = (value) => (typeof value === "boolean" ? undefined : "true or false");

export const nonEmptyText: OptionCheck = (value) =>
  typeof value === "string" && value.trim() !== "" ? undefined : "a non-empty string";

export const objectValue: OptionCheck = (value) => (isRecord(value) ? undefined : "an object");

/** An object that has all of these methods. */
export const objectWith =
  (...methods: readonly string[]): OptionCheck =>
  (value) =>
    isRecord(value) && methods.every((method) => typeof value[method] === "function")
      ? undefined
      : `an object with the methods ${methods.join(", ")}`;

/** For an option that is checked where it is used. */
export const uncheckedHere: OptionCheck = () => undefined;

/** Shows a string by its kind only, because it may be a secret. */
const shown = (value: unknown): string => (typeof value === "string" ? kindOf(value) : quoted(value));

/** For example `createReceiver: deadlineMs: expected a number from 1 to 2147483647, received 0`. */
export const invalidOption = (owner: string, name: string, expected: string, value: unknown): ConfigurationError =>
  new ConfigurationError(`${owner}: ${name}: expected ${expected}, received ${shown(value)}`);

/**
 * Checks `options` against a table of all options. An option that is `undefined` is not checked.
 *
 * @throws {@link ConfigurationError} that names the first option that is unknown or invalid.
 */
export function checkOptions<Options extends object>(
  owner: string,
  options: Options,
  checks: OptionChecks<Options>,
): void {
  if (!isRecord(options)) throw invalidOption(owner, "options", "an object", options);
  const table: Readonly<Record<string, OptionCheck>> = checks;
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(table, name) ? table[name] : undefined;
    if (check === undefined) {
      throw new ConfigurationError(`${owner}: ${name}: ${unknownName(name, Object.keys(table))}`);
    }
    const expected = value === undefined ? undefined : check(value);
    if (expected !== undefined) throw invalidOption(owner, name, expected, value);
  }
}

/** The type of the options after defaults have replaced `undefined`. */
export type WithDefaults<Options, Name extends keyof Options> = Omit<Options, Name> & {
  [Key in Name]-?: NonNullable<Options[Key]>;
};

/** `defaults`, replaced by each option that is not `undefined`. */
export function withDefaults<Options extends object, Name extends keyof Options>(
  options: Options,
  defaults: { readonly [Key in Name]: NonNullable<Options[Key]> },
): WithDefaults<Options, Name> {
  const definedOptions = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...defaults, ...definedOptions } as WithDefaults<Options, Name>;
}
