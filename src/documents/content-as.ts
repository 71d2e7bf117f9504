/** A document's content, once it is sure in which format it is. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import type { DocumentFormat } from "../schemas/document.js";

/** What is read of a document. */
export interface DocumentContent {
  /** Where it is given, it has to be the format that is read. */
  readonly format?: DocumentFormat | (string & {}) | undefined;
  readonly content: string;
}

export function contentAs(operation: string, document: DocumentContent, format: DocumentFormat): string {
  if (typeof document?.content !== "string") throw unreadable(operation, "a string");
  if (document.format === undefined || document.format === format) return document.content;
  const message = `expected "${format}": ask for it with documents.get(id, { format: "${format}" })`;
  throw new InvalidArgumentError(operation, [{ path: "document.format", message }]);
}

export const unreadable = (operation: string, expected: string) =>
  new InvalidArgumentError(operation, [{ path: "document.content", message: `expected ${expected}` }]);
