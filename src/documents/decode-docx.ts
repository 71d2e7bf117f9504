import { contentAs, type DocumentContent, unreadable } from "./content-as.js";

/** How a zip archive begins that is not empty: every Word document is one. */
const ZIP = "PK\x03\x04";

/**
 * The bytes of a Word document that was asked for with `format: "docx"`: the service sends them as base64.
 *
 * @example
 * const document = await notetaker.documents.get("doc_1", { format: "docx" });
 * await writeFile("summary.docx", decodeDocx(document));
 *
 * @throws {InvalidArgumentError} the document is in another format, or its content is not base64 of a zip archive
 */
export function decodeDocx(document: DocumentContent): Uint8Array<ArrayBuffer> {
  const binary = decoded(contentAs("decodeDocx", document, "docx"));
  if (!binary?.startsWith(ZIP)) throw unreadable("decodeDocx", "base64 of a Word document (a zip archive)");
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}
