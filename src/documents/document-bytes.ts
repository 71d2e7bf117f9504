import type { IssueInit } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { type DocumentFormat, wrongFormat } from "../schemas/document.js";
import { decodeDocx, parseBlocks } from "./content.js";

/** The bytes of a received document, or the issue if it has another format or its content is invalid in its format. */
export function documentBytes(received: unknown, format: DocumentFormat): { bytes: Uint8Array } | { issue: IssueInit } {
  if (!isRecord(received)) return { issue: { path: "", message: "expected a document" } };
  const { content } = received;
  if (received.format !== format) return { issue: { path: "format", message: wrongFormat(format, received.format) } };
  if (typeof content !== "string") return { issue: { path: "content", message: "expected a string" } };
  try {
    if (format === "docx") return { bytes: decodeDocx({ format, content }) };
    if (format === "json") parseBlocks({ format, content });
    return { bytes: new TextEncoder().encode(content) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError) || error.issues[0] === undefined) throw error;
    return { issue: error.issues[0] };
  }
}
