import { contentAs, type DocumentContent, unreadable } from "./content-as.js";

/**
 * The content blocks of a document that was asked for with `format: "json"`. The interface shows no more of them than
 * that they are the elements of an array.
 *
 * @example
 * const blocks = parseBlocks(await notetaker.documents.get("doc_1", { format: "json" }));
 *
 * @throws {InvalidArgumentError} the document is in another format, or its content is not a JSON array
 */
export function parseBlocks(document: DocumentContent): unknown[] {
  const blocks = parsed(contentAs("parseBlocks", document, "json"));
  if (!Array.isArray(blocks)) throw unreadable("parseBlocks", "a JSON array of content blocks");
  return blocks;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
