/** Documents: see "Document" and "GET /documents/{document_id}" in the API specification. */
import * as z from "zod/mini";
import { documentId } from "./id-schemas.js";
import {
  enumOf,
  type Infer,
  nullish,
  openEnum,
  requestObject,
  responseObject,
  type Schema,
  timestamp,
} from "./primitives.js";

export const DOCUMENT_FORMATS = ["html", "markdown", "raw", "docx", "json"] as const;
/** A format in which the service returns a document's content. */
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export const documentFields = {
  /** `doc_…` */
  id: documentId,
  /** The title, as the service wrote it. */
  title: z.string(),
  /** The format of `content`. */
  format: openEnum<DocumentFormat | (string & {})>(),
  /** HTML, Markdown, plain text; base64 for `docx` (see `decodeDocx`); a JSON array for `json` (see `parseBlocks`). */
  content: z.string(),
  /** When the document was created: an ISO 8601 timestamp with offset. */
  created_at: timestamp(),
};

/** A document that the service wrote: a summary, action items, notes. */
export interface Document extends Infer<typeof documentFields> {}

/** A document that was requested in the format `F`: a `Document` if `F` may be `undefined`. */
export type DocumentIn<F extends DocumentFormat | undefined> = undefined extends F
  ? Document
  : Document & {
      /** The format that was requested. */
      format: F;
    };

export const documentSchema = responseObject<Document>(documentFields);

/** Why a document does not have the requested format. An unknown format is not repeated: it may be any text. */
export function wrongFormat(requested: DocumentFormat, received: unknown): string {
  const isKnown = DOCUMENT_FORMATS.some((known) => known === received);
  return `expected "${requested}", received ${isKnown ? `"${received}"` : "another format"}`;
}

/** The schema of the response to a request for a document: it has the requested format. */
export const documentSchemaFor = <F extends DocumentFormat | undefined>({ format }: DocumentGetParams<F>) =>
  (format === undefined
    ? documentSchema
    : documentSchema.check(
        z.refine((document) => document.format === format, {
          path: ["format"],
          error: ({ input }) => wrongFormat(format, (input as Document).format),
        }),
      )) as z.ZodMiniType as Schema<DocumentIn<F>>;

const documentReferenceFields = {
  /** `doc_…`, for `documents.get`. */
  id: documentId,
  /** The title; may be absent or `null`. */
  title: nullish(z.string()),
  /** When the document was created: an ISO 8601 timestamp with offset; may be absent or `null`. */
  created_at: nullish(timestamp()),
};

/** A document in a room or meeting, with `expand: ["documents"]`. Documented: the specification shows no fields. */
export interface DocumentReference extends Infer<typeof documentReferenceFields> {}

export const documentReferenceSchema = responseObject<DocumentReference>(documentReferenceFields);

/** Parameters of `documents.get`. */
export interface DocumentGetParams<F extends DocumentFormat | undefined = DocumentFormat | undefined> {
  /** The format of `content` in the response. Default: the service's own, `html` (documented). */
  format?: F;
}

export const documentGetParams = { format: z.optional(enumOf(DOCUMENT_FORMATS)) };

export const documentGetParamsSchema = requestObject<DocumentGetParams>(documentGetParams);
