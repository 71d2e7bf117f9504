/** Interface, "Error envelope" and "Validation envelope". */
import * as z from "zod/mini";
import { custom, nullish, responseObject } from "./primitives.js";

export const errorDetailSchema = responseObject({ field: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/** The client reads an error field by field, whatever it lacks; bundlers may leave the whole out (hence the function). */
export const errorEnvelopeSchema = /* @__PURE__ */ (() =>
  responseObject({
    error: responseObject({
      code: z.string(),
      message: z.string(),
      details: nullish(z.array(errorDetailSchema)),
    }),
  }))();
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export const validationIssueSchema = responseObject({
  /** Where in the request, from the outside in. The interface says strings; an index may come as a number. */
  loc: z.array(custom<string | number>((key) => typeof key === "string" || typeof key === "number", "a string")),
  msg: z.string(),
  type: z.string(),
  input: z.optional(z.unknown()),
  ctx: nullish(responseObject({}) as z.ZodMiniType<Record<string, unknown>>),
});
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

/** As above: read issue by issue. */
export const validationEnvelopeSchema = /* @__PURE__ */ (() =>
  responseObject({ detail: z.array(validationIssueSchema) }))();
