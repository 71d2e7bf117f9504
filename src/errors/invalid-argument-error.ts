import type { Issue } from "../schemas/format-issues.js";
import { brand } from "./brand.js";
import { issuesText } from "./message.js";
import { NotetakerError } from "./notetaker-error.js";

/** An argument that the service would refuse, found before anything was sent. */
export class InvalidArgumentError extends NotetakerError {
  static {
    brand(this, "InvalidArgumentError");
  }
  declare readonly name: "InvalidArgumentError";
  /** Each field that is wrong: its path, and what was expected. */
  declare readonly issues: readonly Issue[];

  constructor(operation: string, issues: readonly Issue[]) {
    super(`${operation}: ${issuesText(issues)}`, { outcome: "not_sent", issues });
  }
}
