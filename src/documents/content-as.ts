/** Returns a document's content after checking its format. */
import { InvalidArgumentError } from "../errors/argument-errors.js";
import type { DocumentFormat } from "../schemas/document.js";

/** The fields of a document that are read. */
export interface DocumentContent {
  /** The format of the content. If it is set, it must be the format that the function reads. */
  readonly format?: DocumentFormat | (string & {}) | undefined;
  /** The content, as the service sends it. */
  readonly content: string;
}

export function contentAs(operation: string, document: DocumentContent, format: DocumentFormat): string {
  if (typeof document?.content !== "string") throw unreadable(operation, "a string");
  if (document.format === undefined || document.format === format) return document.content;
  const message = `expected "${format}", received "${document.format}": request documents.get(id, { format: "${format}" })`;
  throw new InvalidArgumentError(operation, [{ path: "document.format", message }]);
}

export const unreadable = (operation: string, expected: string) =>
  new InvalidArgumentError(operation, [{ path: "document.content", message: `expected ${expected}` }]);
