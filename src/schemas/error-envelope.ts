/** The bodies of error responses: see "Error envelope" and "Validation envelope" in the API specification. */
import * as z from "zod/mini";
import { custom, nullish, responseObject, type Schema } from "./primitives.js";
import { responseArray } from "./response-array.js";

/** One field that the service refused. */
export interface ErrorDetail {
  /** The field of the request. */
  field: string;
  /** What is wrong with it, in the service's words. */
  message: string;
}

export const errorDetailSchema = responseObject<ErrorDetail>({ field: z.string(), message: z.string() });

/** The body of a response that reports an error. */
export interface ErrorEnvelope {
  /** The error. */
  error: {
    /** For example `not_found` or `unauthorized`; the API specification does not list them all. */
    code: string;
    /** What went wrong, in the service's words. */
    message: string;
    /** The fields that the service refused; may be absent or `null`. */
    details?: ErrorDetail[] | null | undefined;
  };
}

/**
 * The zod schema of {@link ErrorEnvelope}. The client does not use it: it reads an error field by field, because fields
 * may be missing. A function builds the schema, so that bundlers can leave it out.
 */
export const errorEnvelopeSchema: Schema<ErrorEnvelope> = /* @__PURE__ */ (() =>
  responseObject<ErrorEnvelope>({
    error: responseObject<ErrorEnvelope["error"]>({
      code: z.string(),
      message: z.string(),
      details: nullish(responseArray(errorDetailSchema)),
    }),
  }))();

/** One issue of a request that the service's validation refused. */
export interface ValidationIssue {
  /** The path of the invalid part in the request. The API specification says strings; an index may be a number. */
  loc: (string | number)[];
  /** What is wrong, in the service's words. */
  msg: string;
  /** The kind of issue, for example `string_too_long`. */
  type: string;
  /** The invalid value of the request; may be absent. */
  input?: unknown;
  /** Details of the rule, for example `{ max_length: 500 }`; may be absent or `null`. */
  ctx?: Record<string, unknown> | null | undefined;
}

export const validationIssueSchema = responseObject<ValidationIssue>({
  loc: responseArray(custom<string | number>((key) => typeof key === "string" || typeof key === "number", "a string")),
  msg: z.string(),
  type: z.string(),
  input: z.optional(z.unknown()) as z.ZodMiniOptional<z.ZodMiniType<unknown>>,
  ctx: nullish(z.looseObject({})),
});

/** The body of a response that reports an invalid request. */
export interface ValidationEnvelope {
  /** Every issue that was found. */
  detail: ValidationIssue[];
}

/** The zod schema of {@link ValidationEnvelope}. Bundlers can leave it out. */
export const validationEnvelopeSchema: Schema<ValidationEnvelope> = /* @__PURE__ */ (() =>
  responseObject<ValidationEnvelope>({ detail: responseArray(validationIssueSchema) }))();
