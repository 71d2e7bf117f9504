/** Checks a received document. An invalid document is kept, together with its issues. */
import * as z from "zod/mini";
import { documentSchema } from "../../schemas/document.js";
import { formatIssues, type Issue } from "../../schemas/format-issues.js";

/** A document as it was received. */
export interface ReceivedDocument {
  received: unknown;
  /** How the document does not match the API specification. */
  issues: readonly Issue[];
}

export function readDocument(received: unknown): ReceivedDocument {
  const { error } = z.safeParse(documentSchema, received);
  return { received, issues: error === undefined ? [] : formatIssues(error.issues, received) };
}
