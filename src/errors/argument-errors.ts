import { type Issue, type IssueInit, withCodes } from "../checks/format-issues.js";
import { type ErrorArguments, type ErrorInit, NotetakerError, named, readArguments } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** The fields of a {@link ConfigurationError}. */
export interface ConfigurationErrorInit extends ErrorInit {
  /** The webhook that the error is about. */
  webhookId?: string | undefined;
}

/** The library was set up or used in a wrong way, for example with an invalid option of a client or receiver. */
export class ConfigurationError extends /* @__PURE__ */ named(NotetakerError, "ConfigurationError") {
  declare readonly name: "ConfigurationError";
  /** `whk_…`: the webhook whose secret `webhooks.ensure` could not find. */
  declare readonly webhookId?: string | undefined;

  constructor(message: string, fields?: ConfigurationErrorInit);
  constructor(fields?: ConfigurationErrorInit);
  constructor(...args: ErrorArguments<ConfigurationErrorInit>) {
    const { message, fields } = readArguments(args, () => "The options are invalid");
    super(message, { outcome: "not_sent", ...fields });
    if (fields.webhookId !== undefined) this.webhookId = fields.webhookId;
  }
}

/** The fields of an {@link InvalidArgumentError}. */
export interface InvalidArgumentErrorInit extends ErrorInit {
  /** Each invalid field. Default: none. */
  issues?: readonly IssueInit[] | undefined;
}

/** An argument is invalid. The error was found before anything was sent. */
export class InvalidArgumentError extends /* @__PURE__ */ named(NotetakerError, "InvalidArgumentError") {
  declare readonly name: "InvalidArgumentError";
  /** Each invalid field: its path, what is wrong with it, and what was expected. */
  readonly issues: readonly Issue[];

  constructor(operation: string, issues: readonly IssueInit[]);
  constructor(fields?: InvalidArgumentErrorInit);
  constructor(first: string | InvalidArgumentErrorInit = {}, second: readonly IssueInit[] = []) {
    const fields: InvalidArgumentErrorInit =
      typeof first === "string" ? { issues: second, message: `${first}: ${issuesText(second)}` } : first;
    const issues = withCodes(fields.issues);
    super(fields.message ?? (issuesText(issues) || "An argument is invalid"), { outcome: "not_sent", ...fields });
    this.issues = issues;
  }
}
