import { type Issue, withCodes } from "../checks/format-issues.js";
import { type ErrorFields, errorClass, NotetakerError } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** The library was set up or used in a wrong way, for example with an invalid option of a client or receiver. */
export class ConfigurationError extends /* @__PURE__ */ errorClass(NotetakerError, "ConfigurationError") {
  declare readonly name: "ConfigurationError";
  /** `whk_…`: the webhook whose secret `webhooks.ensure` could not find. */
  declare readonly webhookId?: string | undefined;

  constructor(fields: ErrorFields<ConfigurationError> = {}) {
    super({ outcome: "not_sent", ...fields, message: fields.message ?? "The options are invalid" });
    if (fields.webhookId !== undefined) this.webhookId = fields.webhookId;
  }
}

/** An argument is invalid. The error was found before anything was sent. */
export class InvalidArgumentError extends /* @__PURE__ */ errorClass(NotetakerError, "InvalidArgumentError") {
  declare readonly name: "InvalidArgumentError";
  /** Each invalid field: its path, what is wrong with it, and what was expected. */
  readonly issues: readonly Issue[];

  constructor({
    operation,
    ...fields
  }: ErrorFields<InvalidArgumentError> & {
    /** The function that has the argument: the beginning of the default message. */
    readonly operation?: string | undefined;
  } = {}) {
    const issues = withCodes(fields.issues);
    const text = issuesText(issues) || "An argument is invalid";
    const message = fields.message ?? (operation === undefined ? text : `${operation}: ${text}`);
    super({ outcome: "not_sent", ...fields, message });
    this.issues = issues;
  }
}
