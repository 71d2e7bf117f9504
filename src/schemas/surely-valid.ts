/**
 * A quick check before zod. Nearly every response is valid. A plain function, made once from each zod schema,
 * recognises valid values; zod checks all other values. A schema never becomes more or less tolerant, because zod also
 * checks every value for which the function has no rule.
 *
 * It is for values that `JSON.parse` returned. The check recurses only as deep as the schema is nested, so a deep value
 * cannot overflow the stack.
 */
import type * as z from "zod/mini";
import { oncePerSchema } from "./once-per-schema.js";

/** `true` if zod would accept the value and return it unchanged. `false` if zod has to check the value. */
type Answer = (value: unknown) => boolean;

/** The fields of the definition of a zod schema, or of a zod check, that are read here. */
interface Definition {
  readonly type?: string;
  readonly innerType?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
  readonly checks?: readonly z.core.$ZodCheck[];
  /** The schema of each item; only in a check that `responseArray` made. */
  readonly item?: z.core.$ZodType;
  /** The function of a refinement. */
  readonly fn?: Answer;
  /** When a refinement runs. */
  readonly when?: unknown;
  /** A string or number of a special form. */
  readonly format?: unknown;
  readonly coerce?: unknown;
}

/** The rule for a value. All rules have the same fields in the same order, because engines read such objects faster. */
interface Rule {
  /** The result of `typeof`; `undefined` for any type. */
  readonly type: string | undefined;
  readonly mayBeNull: boolean;
  /** Whether the field of an object may be left out. */
  readonly mayBeAbsent: boolean;
  /** Checks a value that has this type and is not `null`. */
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
  // Comparing `typeof` with a constant is faster than with a variable, and most fields are strings or numbers.
  if (typeof value === "string") return type === "string";
  if (typeof value === "number") return type === "number" && Number.isFinite(value);
  return typeof value === type;
};

/** `undefined` is not a JSON value and is left to zod, because a default may replace it. */
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
 * Checks the fields of an object. Fields in the order of the schema are checked in a `for … in` loop, because engines
 * read fields faster there. The remaining fields are then looked up by name.
 */
function acceptsFields(fields: readonly Field[], value: Record<string, unknown>): boolean {
  let index = 0;
  for (const name in value) {
    // Zod removes this field.
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

/** The rule of a schema. It is made when it is first needed. */
const ruleOf: (schema: z.core.$ZodType) => Rule = /* @__PURE__ */ oncePerSchema((schema) => {
  const definition = definitionOf(schema);
  // If a schema has checks, `null` and an absent value are left to zod, because a check may accept or refuse them.
  return (definition.checks ?? []).reduce<Rule>(
    ({ type, test }, check) => ruleFor(type, both(test, answerOfCheck(check))),
    ruleOfType(definition),
  );
});

/** Whether zod would certainly accept `value`, which `JSON.parse` returned, and return it unchanged. */
export const surelyValid = (schema: z.core.$ZodType, value: unknown): boolean => accepts(ruleOf(schema), value);
