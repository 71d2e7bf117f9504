import { extname } from "node:path";
import * as z from "zod/mini";
import { throwIfAborted } from "../../async/abort.js";
import type { IssueInit } from "../../checks/format-issues.js";
import { documentBytes } from "../../documents/document-bytes.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { ResponseValidationError } from "../../errors/call-errors.js";
import { checkArgument, checkClient } from "../../errors/check-arguments.js";
import { isRecord } from "../../json/is-record.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { knownHeaders } from "../../redact/redactor.js";
import { DOCUMENT_FORMATS, type Document, type DocumentFormat } from "../../schemas/document.js";
import { enumOf, type Infer } from "../../schemas/primitives.js";
import type { ApiResponse } from "../../transport/api-promise.js";
import { type RequestOptions, requestOptionsShape } from "../../transport/request-options.js";
import { filePath, saveTarget } from "./paths.js";
import { replaceFile } from "./replace-file.js";

const saveDocumentOptions = {
  /** Default: the format of the path's extension, `.md`, `.html`, `.txt`, `.docx` or `.json`. */
  format: z.optional(enumOf(DOCUMENT_FORMATS)),
};

export interface SaveDocumentOptions extends RequestOptions, Infer<typeof saveDocumentOptions> {}

const saveDocumentOptionsSchema = z.strictObject({ ...requestOptionsShape, ...saveDocumentOptions });

/** A document that `saveDocument` has saved. */
export interface SavedDocument {
  /** The absolute path of the file, with links followed. */
  path: string;
  /** In bytes. */
  size: number;
  /** The document's title. */
  title: string;
  /** The format in which it was saved. */
  format: DocumentFormat;
}

/**
 * Saves a document (`doc_…`) at `path`, in the format of the path's extension: `.md`, `.html`, `.txt`, `.docx`
 * (decoded) or `.json`. The file appears when it is complete; a failure leaves an existing file unchanged. Guide:
 * docs/transcripts.md#documents.
 * @throws {InvalidArgumentError} if the path has no known extension, or cannot be written to; nothing was sent
 * @throws {NotFoundError} if there is no such document
 * @throws {ResponseValidationError} if the document came in another format
 * @example
 * await saveDocument(notetaker, "doc_1", "summary.docx");
 */
export async function saveDocument(
  notetaker: {
    /** Reads documents. */
    readonly documents: Pick<NotetakerLike["documents"], "get">;
  },
  documentId: string,
  path: string | URL,
  options: SaveDocumentOptions = {},
): Promise<SavedDocument> {
  checkClient("saveDocument", notetaker, "documents");
  checkArgument("saveDocument", saveDocumentOptionsSchema, options);
  const { format = formatOfPath(filePath("saveDocument", path)), ...request } = options;
  const { target, partial } = await saveTarget("saveDocument", path);
  const response = await withResponse(notetaker.documents.get(documentId, { format }, request));
  const result = documentBytes(response.data, format);
  if ("issue" in result) throw unexpectedDocument(response, documentId, format, result.issue);
  throwIfAborted(request.signal);
  await replaceFile("saveDocument", target, partial, (file) => file.writeFile(result.bytes));
  return { path: target, size: result.bytes.byteLength, title: response.data.title, format };
}

function formatOfPath(path: string): DocumentFormat {
  const extension = extname(path).slice(1).toLowerCase();
  const format = DOCUMENT_FORMATS.find((candidate) => DOCUMENT_EXTENSIONS[candidate] === extension);
  if (format !== undefined) return format;
  const extensions = Object.values(DOCUMENT_EXTENSIONS).map((known) => `.${known}`);
  const message = `expected ${DOCUMENT_FORMATS.join(", ")}, or a path that ends in ${extensions.join(", ")}`;
  throw new InvalidArgumentError({ operation: "saveDocument", issues: [{ path: "format", message }] });
}

/** The result of a call. A fake that returns a plain promise has only `data`. */
type PossibleResponse<T> = Pick<ApiResponse<T>, "data"> & Partial<ApiResponse<T>>;

async function withResponse<T>(call: Promise<T>): Promise<PossibleResponse<T>> {
  const { withResponse: getResponse } = call as { withResponse?: () => Promise<ApiResponse<T>> };
  return typeof getResponse === "function" ? getResponse.call(call) : { data: await call };
}

function unexpectedDocument(
  { data, response }: PossibleResponse<Document>,
  documentId: string,
  format: DocumentFormat,
  issue: IssueInit,
): ResponseValidationError {
  const message = `documents.get: ${documentId} did not come as ${format}: ${issue.path}: ${issue.message}`;
  return new ResponseValidationError({
    message,
    issues: [issue],
    status: response?.status,
    body: knownFields(data),
    headers: response === undefined ? undefined : knownHeaders(response.headers),
    request: { method: "GET", url: response?.url ?? "" },
  });
}

/** The fields that the API specification defines. Others stay out of the error, because errors are logged. */
function knownFields(received: unknown): Partial<Document> | undefined {
  if (!isRecord(received)) return undefined;
  const { id, title, format, content, created_at } = received as Partial<Document>;
  return { id, title, format, content, created_at } as Partial<Document>;
}

export const DOCUMENT_EXTENSIONS: Record<DocumentFormat, string> = {
  html: "html",
  markdown: "md",
  raw: "txt",
  docx: "docx",
  json: "json",
};
