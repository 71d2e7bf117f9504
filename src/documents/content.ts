/** Reads the content of a document in the formats that are not plain text. */
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { orUndefined } from "../json/or-undefined.js";
import type { OwnBytes } from "../json/own-bytes.js";
import { parseJson } from "../json/parse-json.js";
import type { DocumentFormat } from "../schemas/document.js";

export interface DocumentContent {
  /** The format of the content. If it is set, it must be the format that the function reads. */
  readonly format?: DocumentFormat | (string & {}) | undefined;
  /** The content, as the service sends it. */
  readonly content: string;
}

/** The first bytes of a zip archive that is not empty. Every Word document is such an archive. */
const ZIP_SIGNATURE = "PK\x03\x04";

/**
 * Decodes a Word document that was requested with `format: "docx"`, whose bytes the service sends as base64. A data URL
 * (`data:…;base64,…`) is also accepted.
 * @example
 * const document = await notetaker.documents.get("doc_1", { format: "docx" });
 * await writeFile("summary.docx", decodeDocx(document));
 * @throws {InvalidArgumentError} if the document is in another format, or its content is not base64 of a zip archive
 */
export function decodeDocx(document: DocumentContent): OwnBytes {
  const content = contentAs("decodeDocx", document, "docx");
  const binary = orUndefined(() => atob(content.replace(/^\s*data:[^,]{0,1024};base64,/i, "")));
  if (!binary?.startsWith(ZIP_SIGNATURE)) {
    throw unreadableContent("decodeDocx", "base64 of a Word document (a zip archive)");
  }
  const bytes = new Uint8Array(binary.length);
  // A loop: `Uint8Array.from` takes seconds for 40 MB.
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * Parses the content blocks of a document that was requested with `format: "json"`. The API specification shows that
 * the blocks are the elements of an array, but does not define a block.
 * @example
 * const blocks = parseBlocks(await notetaker.documents.get("doc_1", { format: "json" }));
 * @throws {InvalidArgumentError} if the document is in another format, or its content is not a JSON array
 */
export function parseBlocks(document: DocumentContent): unknown[] {
  const blocks = parseJson(contentAs("parseBlocks", document, "json"));
  if (!Array.isArray(blocks)) throw unreadableContent("parseBlocks", "a JSON array of content blocks");
  return blocks;
}

function contentAs(operation: string, document: DocumentContent, format: DocumentFormat): string {
  if (typeof document?.content !== "string") throw unreadableContent(operation, "a string");
  if (document.format === undefined || document.format === format) return document.content;
  const message = `expected "${format}", received "${document.format}": request documents.get(id, { format: "${format}" })`;
  throw new InvalidArgumentError({ operation, issues: [{ path: "document.format", message }] });
}

const unreadableContent = (operation: string, expected: string) =>
  new InvalidArgumentError({ operation, issues: [{ path: "document.content", message: `expected ${expected}` }] });
