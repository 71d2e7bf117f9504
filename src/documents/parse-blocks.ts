import { parseJson } from "../json/parse-json.js";
import { contentAs, type DocumentContent, unreadable } from "./content-as.js";

/**
 * Parses the content blocks of a document that was requested with `format: "json"`. The API specification shows that
 * the blocks are the elements of an array, but does not define a block.
 *
 * @example
 * const blocks = parseBlocks(await notetaker.documents.get("doc_1", { format: "json" }));
 *
 * @throws {InvalidArgumentError} the document is in another format, or its content is not a JSON array
 */
export function parseBlocks(document: DocumentContent): unknown[] {
  const blocks = parseJson(contentAs("parseBlocks", document, "json"));
  if (!Array.isArray(blocks)) throw unreadable("parseBlocks", "a JSON array of content blocks");
  return blocks;
}
