/** A document as a file. */
import { extname } from "node:path";
import type { Notetaker } from "../../client.js";
import { checkArgument } from "../../errors/check-argument.js";
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";
import type { RequestOptions } from "../../options.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import { documentOptionsSchema } from "../../transport/request-options-schema.js";
import { DOCUMENT_EXTENSIONS, documentBytes } from "./document-file.js";
import { filePath } from "./file-path.js";
import { replaceFile } from "./replace-file.js";
import { saveTarget } from "./save-target.js";

export interface SaveDocumentOptions extends RequestOptions {
  /** Default: what the extension of the path says: `.md`, `.html`, `.txt`, `.docx` or `.json`. */
  format?: DocumentFormat | undefined;
}

export interface SavedDocument {
  /** Where it was saved: absolute, links followed. */
  path: string;
  /** In bytes. */
  size: number;
  title: string;
  format: DocumentFormat;
}

/**
 * Saves a document (`doc_…`) at `path`, in the format that the path's extension says: Markdown (`.md`), HTML, plain text
 * (`.txt`), Word (`.docx`, decoded) or JSON blocks. The file takes the target's name once it is on the disk: a failure, or an
 * abort, leaves an old file as it was and nothing of the new one.
 *
 * @throws {InvalidArgumentError} no format follows from the path, or nothing can be written there; nothing was sent
 * @throws {NotFoundError} there is no such document
 * @throws {ResponseValidationError} it did not come in the format that was asked for
 * @example
 * await saveDocument(notetaker, "doc_1", "summary.docx");
 */
export async function saveDocument(
  notetaker: Pick<Notetaker, "documents">,
  documentId: string,
  path: string | URL,
  options: SaveDocumentOptions = {},
): Promise<SavedDocument> {
  checkArgument("saveDocument", documentOptionsSchema, options);
  const { format = formatOf(filePath("saveDocument", path)), ...request } = options;
  const { target, partial } = await saveTarget("saveDocument", path);
  const answer = await notetaker.documents.get(documentId, { format }, request).withResponse();
  const bytes = documentBytes(answer, format);
  request.signal?.throwIfAborted();
  await replaceFile(target, partial, (file) => file.writeFile(bytes));
  return { path: target, size: bytes.byteLength, title: answer.data.title, format };
}

function formatOf(path: string): DocumentFormat {
  const extension = extname(path).slice(1).toLowerCase();
  const format = DOCUMENT_FORMATS.find((one) => DOCUMENT_EXTENSIONS[one] === extension);
  if (format !== undefined) return format;
  const known = Object.values(DOCUMENT_EXTENSIONS).map((one) => `.${one}`);
  const message = `expected ${DOCUMENT_FORMATS.join(", ")}, or a path that ends in ${known.join(", ")}`;
  throw new InvalidArgumentError("saveDocument", [{ path: "format", message }]);
}
