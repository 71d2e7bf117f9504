/** Interface, "Error envelope" and "Validation envelope". */
import * as z from "zod/mini";
import { absent, kind, received } from "./primitives.js";

export const errorDetailSchema = received({ field: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/** The client reads an error field by field, whatever it lacks; bundlers may leave the whole out (hence the function). */
export const errorEnvelopeSchema = /* @__PURE__ */ (() =>
  received({
    error: received({
      code: z.string(),
      message: z.string(),
      details: absent(z.array(errorDetailSchema)),
    }),
  }))();
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export const validationIssueSchema = received({
  /** Where in the request, from the outside in. The interface says strings; an index may come as a number. */
  loc: z.array(kind<string | number>((key) => typeof key === "string" || typeof key === "number", "a string")),
  msg: z.string(),
  type: z.string(),
  input: z.optional(z.unknown()),
  ctx: absent(received({}) as z.ZodMiniType<Record<string, unknown>>),
});
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

/** As above: read issue by issue. */
export const validationEnvelopeSchema = /* @__PURE__ */ (() => received({ detail: z.array(validationIssueSchema) }))();
