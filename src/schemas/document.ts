/** Interface, "Document" and "GET /documents/{document_id}". */
import * as z from "zod/mini";
import { documentId } from "./ids.js";
import { enumOf, nullish, openEnum, requestObject, responseObject, timestamp } from "./primitives.js";

export const DOCUMENT_FORMATS = ["html", "markdown", "raw", "docx", "json"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export const documentSchema = responseObject({
  /** `doc_…` */
  id: documentId,
  title: z.string(),
  /** The format of `content`. */
  format: openEnum<typeof DOCUMENT_FORMATS>(),
  /** The content in that format: base64 for `docx`, a JSON-serialized array of content blocks for `json`. */
  content: z.string(),
  /** ISO 8601 with offset. */
  created_at: timestamp(),
});
/** A document. `F` is the format that was asked for. */
export type Document<F extends DocumentFormat = never> = Omit<z.infer<typeof documentSchema>, "format"> & {
  /** The format of `content`. */
  format: [F] extends [never] ? DocumentFormat | (string & {}) : F;
};

/** The document schema for a request in the format `F`. */
export const documentIn = <F extends DocumentFormat>() =>
  documentSchema as z.core.$ZodType as z.core.$ZodType<Document<F>>;

/** A document as rooms and meetings name it when `documents` are expanded (level A). */
export const documentReferenceSchema = responseObject({
  /** `doc_…` */
  id: documentId,
  title: nullish(z.string()),
  /** ISO 8601 with offset. */
  created_at: nullish(timestamp()),
});
export type DocumentReference = z.infer<typeof documentReferenceSchema>;

export const documentGetParamsSchema = requestObject({
  /** How `content` is wanted. The service's own default is `html` (level A). */
  format: z.optional(enumOf(DOCUMENT_FORMATS)),
});
export type DocumentGetParams = z.infer<typeof documentGetParamsSchema>;
