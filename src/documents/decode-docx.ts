import type { OwnBytes } from "../json/own-bytes.js";
import { contentAs, type DocumentContent, unreadable } from "./content-as.js";
import { decodeBase64 } from "./decode-base64.js";

/** The first bytes of a zip archive that is not empty (`PK`, 3, 4). Every Word document is such an archive. */
const ZIP_SIGNATURE = [0x50, 0x4b, 3, 4];

/**
 * Decodes a Word document that was requested with `format: "docx"`, whose bytes the service sends as base64. A data URL
 * (`data:…;base64,…`) is accepted, too.
 *
 * @example
 * const document = await notetaker.documents.get("doc_1", { format: "docx" });
 * await writeFile("summary.docx", decodeDocx(document));
 *
 * @throws {InvalidArgumentError} the document is in another format, or its content is not base64 of a zip archive
 */
export function decodeDocx(document: DocumentContent): OwnBytes {
  const bytes = decodeBase64(withoutDataPrefix(contentAs("decodeDocx", document, "docx")));
  if (!bytes || ZIP_SIGNATURE.some((byte, index) => bytes[index] !== byte)) {
    throw unreadable("decodeDocx", "base64 of a Word document (a zip archive)");
  }
  return bytes;
}

const withoutDataPrefix = (content: string) => content.replace(/^\s*data:[^,]{0,1024};base64,/i, "");
