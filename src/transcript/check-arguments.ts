import { textOf } from "../json/text-of.js";

/**
 * Checks that a transcript was passed. A promise of one is also an object, but without segments: its text would be
 * empty.
 * @throws TypeError
 */
export function checkTranscript(transcript: unknown): void {
  const isObject = typeof transcript === "object" && transcript !== null;
  if (isObject && !("then" in transcript)) return;
  const kind = transcript === null ? "null" : typeof transcript;
  throw new TypeError(`expected a transcript, received ${isObject ? "a promise: await it" : kind}`);
}

/** For each numeric option, its minimum and its default. An option without a default is required. */
export type NumberRules<Name extends string> = { readonly [name in Name]: readonly [min: number, otherwise?: number] };

/** The default of an option that sets a limit. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Checks numeric options, and fills in their defaults. `others` are the names of the options that are checked elsewhere.
 *
 * @throws TypeError for an option that is not in `rules`, so that a misspelt name is noticed.
 * @throws RangeError for an option that is missing, not a number, or below its minimum.
 */
export function checkNumbers<Name extends string>(
  options: { readonly [name in Name]?: number | undefined },
  rules: NumberRules<Name>,
  others: readonly string[] = [],
): { [name in Name]: number } {
  const names = Object.keys(rules) as Name[];
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(rules, name)) continue;
    throw new TypeError(`${name}: unknown option; known: ${[...others, ...names].join(", ") || "none"}`);
  }
  const check = (name: Name) => {
    const [min, otherwise] = rules[name];
    const value = options[name];
    if (value === undefined && otherwise !== undefined) return otherwise;
    if (typeof value === "number" && value >= min) return value;
    throw new RangeError(`${name}: expected a number of at least ${min}, received ${textOf(value)}`);
  };
  return Object.fromEntries(names.map((name) => [name, check(name)])) as { [name in Name]: number };
}
