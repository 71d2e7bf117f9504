/** The bodies of error responses: see "Error envelope" and "Validation envelope" in the API specification. */
import * as z from "zod/mini";
import { custom, type Infer, nullish, responseObject, type Schema } from "./primitives.js";
import { responseArray } from "./response-array.js";

const errorDetailFields = {
  /** The field of the request. */
  field: z.string(),
  /** What is wrong with it, in the service's words. */
  message: z.string(),
};

/** One field that the service refused. */
export interface ErrorDetail extends Infer<typeof errorDetailFields> {}

export const errorDetailSchema = responseObject<ErrorDetail>(errorDetailFields);

// The client does not use the schemas of the envelopes: it reads an error field by field, because fields may be missing.
// Their fields are made in functions, so that bundlers can leave them out.

const errorFields = /* @__PURE__ */ (() => ({
  /** For example `not_found` or `unauthorized`; the API specification does not list them all. */
  code: z.string(),
  /** What went wrong, in the service's words. */
  message: z.string(),
  /** The fields that the service refused; may be absent or `null`. */
  details: nullish(responseArray(errorDetailSchema)),
}))();

interface EnvelopeError extends Infer<typeof errorFields> {}

const errorEnvelopeFields = /* @__PURE__ */ (() => ({
  /** The error. */
  error: responseObject<EnvelopeError>(errorFields),
}))();

/** The body of a response that reports an error. */
export interface ErrorEnvelope extends Infer<typeof errorEnvelopeFields> {}

export const errorEnvelopeSchema = /* @__PURE__ */ responseObject<ErrorEnvelope>(errorEnvelopeFields);

const validationIssueFields = {
  /** The path of the invalid part in the request. The API specification says strings; an index may be a number. */
  loc: responseArray(custom<string | number>((key) => typeof key === "string" || typeof key === "number", "a string")),
  /** What is wrong, in the service's words. */
  msg: z.string(),
  /** The kind of issue, for example `string_too_long`. */
  type: z.string(),
  /** The invalid value of the request; may be absent. */
  input: z.optional(z.unknown()),
  /** Details of the rule, for example `{ max_length: 500 }`; may be absent or `null`. */
  ctx: nullish(z.looseObject({}) as z.ZodMiniType as Schema<Record<string, unknown>>),
};

/** One issue of a request that the service's validation refused. */
export interface ValidationIssue extends Infer<typeof validationIssueFields> {}

export const validationIssueSchema = responseObject<ValidationIssue>(validationIssueFields);

const validationEnvelopeFields = /* @__PURE__ */ (() => ({
  /** Every issue that was found. */
  detail: responseArray(validationIssueSchema),
}))();

/** The body of a response that reports an invalid request. */
export interface ValidationEnvelope extends Infer<typeof validationEnvelopeFields> {}

export const validationEnvelopeSchema = /* @__PURE__ */ responseObject<ValidationEnvelope>(validationEnvelopeFields);
