/** What the content of a document is as a file. */
import { decodeDocx } from "../../documents/decode-docx.js";
import { parseBlocks } from "../../documents/parse-blocks.js";
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";
import { addCallFacts } from "../../errors/notetaker-error.js";
import { ResponseValidationError } from "../../errors/response-validation-error.js";
import type { Document, DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import type { ApiResponse } from "../../transport/api-promise.js";

export const DOCUMENT_EXTENSIONS: Record<DocumentFormat, string> = {
  html: "html",
  markdown: "md",
  raw: "txt",
  docx: "docx",
  json: "json",
};

/** @throws {ResponseValidationError} it came in another format, or is not what its format promises */
export function documentBytes({ data, response }: ApiResponse<Document>, format: DocumentFormat): Uint8Array {
  const broken = (issues: readonly Issue[]) => {
    const message = `documents.get: ${data.id} did not come as ${format}: ${issues[0]?.path}: ${issues[0]?.message}`;
    const { status, headers, url } = response;
    const error = new ResponseValidationError(message, {
      issues,
      status,
      body: data,
      headers,
      request: { method: "GET", url },
    });
    return addCallFacts(error, { attempts: 1 });
  };
  if (data.format !== format) {
    throw broken([{ path: "format", message: `expected "${format}", received "${data.format}"` }]);
  }
  try {
    if (format === "docx") return decodeDocx(data);
    if (format === "json") parseBlocks(data);
    return Buffer.from(data.content, "utf8");
  } catch (error) {
    throw error instanceof InvalidArgumentError ? broken(error.issues) : error;
  }
}
