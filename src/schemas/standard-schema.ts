/** Schemas that the caller passes, from any library: zod, Valibot, ArkType … See https://standardschema.dev. */
import type * as z from "zod/mini";
import { formatIssues, type Issue, kindOf, valueAt } from "../checks/format-issues.js";
import { isRecord } from "../json/is-record.js";

/** The result of checking a value with a Standard Schema. */
export type StandardResult<Output> =
  | {
      /** The value as the schema returns it. */
      readonly value: Output;
      /** Absent: the value is accepted. */
      readonly issues?: undefined;
    }
  | {
      /** What is wrong, at least one issue. A path may be absent, and have its keys in objects. */
      readonly issues: readonly {
        /** In the words of the library. */
        readonly message: string;
        /** Absent: the value as a whole. */
        readonly path?:
          | readonly (
              | PropertyKey
              | {
                  /** The name of a property, or an index. */
                  readonly key: PropertyKey;
                }
            )[]
          | undefined;
      }[];
    };

/** A schema of any library that follows [Standard Schema](https://standardschema.dev): zod, Valibot, ArkType … */
export interface StandardSchema<Output = unknown> {
  /** The member that the standard defines. */
  readonly "~standard": {
    /** The version of the standard. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value, and returns the validated value or the issues. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Only for the compiler: absent at run time. */
    readonly types?:
      | {
          /** The type that the schema accepts. */
          readonly input: unknown;
          /** The type that it returns. */
          readonly output: Output;
        }
      | undefined;
  };
}

export type SchemaOutput<S extends StandardSchema> = S extends StandardSchema<infer Output> ? Output : never;

/** Whether `value` is a Standard Schema. In some libraries, a schema is a function. */
export const isStandardSchema = (value: unknown): value is StandardSchema =>
  typeof (value as Partial<StandardSchema> | null | undefined)?.["~standard"]?.validate === "function";

const segmentKey = (segment: unknown) =>
  typeof segment === "object" ? (segment as { readonly key?: unknown } | null)?.key : segment;

/** The issue as one of zod. Only zod's own messages are kept: those of other libraries may quote a private value. */
function toZodIssue(issue: unknown, isOfZod: boolean, value: unknown): z.core.$ZodIssue {
  if (isOfZod && isRecord(issue)) return issue as unknown as z.core.$ZodIssue;
  const { path } = Object(issue) as { readonly path?: unknown };
  const keys = (Array.isArray(path) ? path : []).map((segment) => segmentKey(segment) as PropertyKey);
  const message = `expected what the schema accepts, received ${kindOf(valueAt(value, keys))}`;
  return { code: "custom", path: keys, message, params: {}, input: undefined };
}

export interface Checked {
  readonly data?: unknown;
  readonly issues?: Issue[];
}

/** Checks `value` with the caller's schema. An error that the schema throws is rethrown unchanged. */
export async function validate(schema: StandardSchema, value: unknown): Promise<Checked> {
  const result: unknown = await schema["~standard"].validate(value);
  const { value: data, issues: found } = Object(result) as { readonly value?: unknown; readonly issues?: unknown };
  if (result === Object(result) && found === undefined) return { data };
  const isOfZod = "_zod" in schema;
  const issues = (Array.isArray(found) && found.length > 0 ? found : [null]).map((issue) =>
    toZodIssue(issue, isOfZod, value),
  );
  return { issues: formatIssues(issues, value, schema as unknown as z.core.$ZodType, "field") };
}
