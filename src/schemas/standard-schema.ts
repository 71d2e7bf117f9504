/** Schemas of the caller, from any library: zod, Valibot, ArkType … See https://standardschema.dev. */
import type * as z from "zod/mini";
import { formatIssues, type Issue } from "./format-issues.js";

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | {
      /** What the schema made of the value. */
      readonly value: Output;
      /** Absent: the value is accepted. */
      readonly issues?: undefined;
    }
  | {
      /** What is wrong; at least one. */
      readonly issues: readonly StandardIssue[];
    };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** The way to the field; absent for the value as a whole. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** A step of the way to a field, as some libraries write it. */
export interface StandardPathSegment {
  /** The name of the field, or the index in a list. */
  readonly key: PropertyKey;
}

/**
 * A schema of any library that follows [Standard Schema](https://standardschema.dev): zod, Valibot, ArkType and others.
 */
export interface StandardSchema<Output = unknown> {
  /** What libraries that know nothing of each other agree on. */
  readonly "~standard": {
    /** The version of the standard. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value, and returns what it became or what is wrong with it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Types alone: absent at run time. */
    readonly types?: StandardTypes<Output> | undefined;
  };
}

/** The types of a schema, which only the compiler reads. */
export interface StandardTypes<Output> {
  /** What the schema accepts. */
  readonly input: unknown;
  /** What it makes of that. */
  readonly output: Output;
}

/** What a schema makes of the values that it accepts. */
export type SchemaOutput<S extends StandardSchema> = S extends StandardSchema<infer Output> ? Output : never;

/** Whether `value` is a schema. Those of some libraries are functions. */
export const isStandardSchema = (value: unknown): value is StandardSchema =>
  typeof (value as Partial<StandardSchema> | null | undefined)?.["~standard"]?.validate === "function";

const keyOf = (segment: PropertyKey | StandardPathSegment) => (typeof segment === "object" ? segment.key : segment);

/** Zod's own issues say more than the standard asks for; those of others have these two fields. */
const toZodIssue = ({ path = [], ...issue }: StandardIssue) =>
  ({ ...issue, message: String(issue.message), path: path.map(keyOf) }) as unknown as z.core.$ZodIssue;

/** The data, or what is wrong with it. */
export interface Checked {
  readonly data?: unknown;
  readonly issues?: Issue[];
}

/** Checks `value` with the caller's schema. What the schema throws passes unchanged. */
export async function validate(schema: StandardSchema, value: unknown): Promise<Checked> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { data: result.value };
  return { issues: formatIssues(result.issues.map(toZodIssue), value, schema as unknown as z.core.$ZodType, "field") };
}
