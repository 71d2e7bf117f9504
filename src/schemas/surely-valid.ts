/**
 * A quick answer ahead of zod. Nearly every response is as promised: a plain function, made once from the schema
 * itself, recognises these, and zod checks the others. It never makes a schema more or less tolerant: what it does not
 * know is left to zod.
 *
 * It is for values that `JSON.parse` returned. It does not recurse over them: a schema decides how deep it looks.
 */
import type * as z from "zod/mini";
import { oncePerSchema } from "./once-per-schema.js";

/** Whether zod would accept the value and return it as it is. `false`: ask zod. */
type Answer = (value: unknown) => boolean;

/** What is read of a zod schema and of a zod check. */
interface Definition {
  readonly type?: string;
  readonly innerType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
  readonly checks?: readonly z.core.$ZodCheck[];
  /** Only in a check that `responseArray` made: the schema of each item. */
  readonly item?: z.core.$ZodType;
  /** The function of a refinement. */
  readonly fn?: Answer;
  /** When a refinement runs. */
  readonly when?: unknown;
  /** A string or number of a special form. */
  readonly format?: unknown;
  readonly coerce?: unknown;
}

/** What a value has to be. Every rule has each of these, in this order: engines read objects of one form faster. */
interface Rule {
  /** What `typeof` says; `undefined` for any type. */
  readonly type: string | undefined;
  readonly mayBeNull: boolean;
  /** Whether the field of an object may be left out. */
  readonly mayBeAbsent: boolean;
  /** Judges a value that has this type and is not `null`. */
  readonly test: Answer | undefined;
}

const ruleFor = (type: string | undefined, test?: Answer, mayBeNull = false, mayBeAbsent = false): Rule => ({
  type,
  mayBeNull,
  mayBeAbsent,
  test,
});

const definitionOf = (schema: z.core.$ZodType | z.core.$ZodCheck) => schema._zod.def as unknown as Definition;

const askZod = () => ruleFor(undefined, () => false);

const both = (first: Answer | undefined, second: Answer): Answer =>
  first === undefined ? second : (value) => first(value) === true && second(value);

const isOfType = (type: string, value: unknown) => {
  // Comparing `typeof` with a constant is faster than with a variable, and most fields are texts or numbers.
  if (typeof value === "string") return type === "string";
  if (typeof value === "number") return type === "number" && Number.isFinite(value);
  return typeof value === type;
};

/** `undefined`, which JSON does not have, is left to zod: it may stand for a default. */
function accepts({ type, mayBeNull, test }: Rule, value: unknown): boolean {
  if (value === null) return mayBeNull;
  const hasType = type === undefined ? value !== undefined : isOfType(type, value);
  return hasType && (test === undefined || test(value) === true);
}

/** One field of an object, and the rule for its value. */
interface Field {
  readonly name: string;
  readonly rule: Rule;
}

/**
 * Judges the fields in the order in which the object has them, as far as that is the order of the schema. Judges the
 * others by their names. An engine reads a field that `for … in` names faster than one that a variable names.
 */
function acceptsFields(fields: readonly Field[], value: Record<string, unknown>): boolean {
  let index = 0;
  for (const name in value) {
    // Zod leaves it out.
    if (name === "__proto__") return false;
    const next = fields[index];
    if (next?.name === name) {
      if (!accepts(next.rule, value[name])) return false;
      index += 1;
    }
  }
  for (; index < fields.length; index += 1) {
    const { name, rule } = fields[index] as Field;
    const field = value[name];
    if (field === undefined ? !rule.mayBeAbsent || name in value : !accepts(rule, field)) return false;
  }
  return true;
}

function objectRule({ shape = {}, catchall }: Definition): Rule {
  const rest = catchall && definitionOf(catchall);
  const isStrict = rest?.type === "never";
  if ((rest?.type !== "unknown" && !isStrict) || rest.checks !== undefined) return askZod();
  const fields: Field[] = Object.entries(shape).map(([name, schema]) => ({ name, rule: ruleOf(schema) }));
  const test = (value: object) =>
    Object.getPrototypeOf(value) === Object.prototype &&
    (!isStrict || Object.keys(value).every((name) => Object.hasOwn(shape, name))) &&
    acceptsFields(fields, value as Record<string, unknown>);
  return ruleFor("object", test as Answer);
}

/** The rule of a schema without its checks. */
function ruleOfType(definition: Definition): Rule {
  const { type, innerType, format, coerce, fn } = definition;
  if (format !== undefined || coerce !== undefined) return askZod();
  const inner = innerType === undefined ? askZod() : ruleOf(innerType);
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return ruleFor(type);
    case "custom":
      return ruleFor(undefined, fn);
    case "unknown":
      return ruleFor(undefined, undefined, true);
    case "object":
      return objectRule(definition);
    case "optional":
      return ruleFor(inner.type, inner.test, inner.mayBeNull, innerType?._zod.optin !== "defaulted");
    case "nullable":
      return ruleFor(inner.type, inner.test, true, inner.mayBeAbsent);
    case "default":
      return ruleFor(inner.type, inner.test, inner.mayBeNull);
    default:
      return askZod();
  }
}

const answerOfList = (item: Rule): Answer => {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const entry of value) if (!accepts(item, entry)) return false;
    return true;
  };
};

function answerOfCheck(check: z.core.$ZodCheck): Answer {
  const { item, fn, when } = definitionOf(check);
  if (item !== undefined) return answerOfList(ruleOf(item));
  return fn === undefined || when !== undefined ? () => false : fn;
}

/** The rule of a schema, made when it is first needed. */
const ruleOf: (schema: z.core.$ZodType) => Rule = /* @__PURE__ */ oncePerSchema((schema) => {
  const definition = definitionOf(schema);
  // With checks, `null` and an absent value are left to zod: a check may accept or refuse them.
  return (definition.checks ?? []).reduce<Rule>(
    ({ type, test }, check) => ruleFor(type, both(test, answerOfCheck(check))),
    ruleOfType(definition),
  );
});

/** Whether zod would certainly accept `value`, which `JSON.parse` returned, and return it as it is. */
export const surelyValid = (schema: z.core.$ZodType, value: unknown): boolean => accepts(ruleOf(schema), value);
