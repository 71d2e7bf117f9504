import type { Issue } from "../schemas/format-issues.js";
import { brand } from "./brand.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** The fields of an {@link InvalidArgumentError}. */
export interface InvalidArgumentErrorInit extends ErrorInit {
  /** Each invalid field. Default: none. */
  issues?: readonly Issue[] | undefined;
}

/** An argument is invalid. The error was found before anything was sent. */
export class InvalidArgumentError extends NotetakerError {
  declare readonly name: "InvalidArgumentError";
  /** Each invalid field: its path, and what was expected. */
  readonly issues: readonly Issue[];

  constructor(operation: string, issues: readonly Issue[]);
  constructor(fields?: InvalidArgumentErrorInit);
  constructor(first: string | InvalidArgumentErrorInit = {}, second: readonly Issue[] = []) {
    const fields: InvalidArgumentErrorInit =
      typeof first === "string" ? { issues: second, message: `${first}: ${issuesText(second)}` } : first;
    const issues = fields.issues ?? [];
    super(fields.message ?? (issuesText(issues) || "An argument is invalid"), { outcome: "not_sent", ...fields });
    this.issues = issues;
  }
}
brand(InvalidArgumentError, "InvalidArgumentError");
