import type { ValidationIssue } from "../schemas/error-envelope.js";
import { ApiError, type ApiErrorInit } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";

/** The fields of an {@link InvalidRequestError}. */
export interface InvalidRequestErrorInit extends ApiErrorInit {
  /** Which parts of the request are invalid. Default: none. */
  issues?: readonly ValidationIssue[] | undefined;
}

/**
 * The service found the request invalid, and sent a validation envelope (status 422). `issues` has the invalid parts.
 */
export class InvalidRequestError extends ApiError {
  declare readonly name: "InvalidRequestError";
  /** Each `detail` of the envelope: the first 20, then one that counts the others. `body` has all of them. */
  readonly issues: readonly ValidationIssue[];

  constructor(message: string, fields?: InvalidRequestErrorInit);
  constructor(fields?: InvalidRequestErrorInit);
  constructor(...args: ErrorArguments<InvalidRequestErrorInit>) {
    const { message, fields } = readArguments(args, () => "The service found the request invalid");
    super(message, fields);
    this.issues = fields.issues ?? [];
  }
}
brand(InvalidRequestError, "InvalidRequestError", { status: 422 });
