import type { Issue } from "../schemas/format-issues.js";
import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** The fields of a {@link ResponseValidationError}. Each can be left out. */
export interface ResponseValidationErrorInit extends ErrorInit {
  /** Which parts of the response are invalid. Default: none. */
  issues?: readonly Issue[] | undefined;
  /** HTTP status. Default: 200. */
  status?: number | undefined;
  /** The body of the response. */
  body?: unknown;
  /** The headers of the response. Default: none. */
  headers?: Headers | undefined;
  /** The request. Default: empty texts. */
  request?: RequestSummary | undefined;
}

/**
 * A successful response whose body is not JSON, does not match its schema, or is longer than `maxResponseBytes`. The
 * service has acted: `outcome` is `accepted`.
 */
export class ResponseValidationError extends NotetakerError {
  declare readonly name: "ResponseValidationError";
  /**
   * Which parts of the response are invalid: their paths and the kinds of their values, without their content. The
   * first 20 issues, then one that counts the others.
   */
  readonly issues: readonly Issue[];
  /** HTTP status. */
  readonly status: number;
  /**
   * The body of the response: parsed, or the first 2 KiB of its text if it is not JSON. Secrets are replaced. The field
   * is not enumerable and not in the error's record, because the body may be a conversation.
   */
  declare readonly body: unknown;
  /** The headers of the response. Secrets are replaced. */
  readonly headers: Headers;
  /** The request that the response belongs to. */
  readonly request: RequestSummary;

  constructor(message: string, fields?: ResponseValidationErrorInit);
  constructor(fields?: ResponseValidationErrorInit);
  constructor(...args: ErrorArguments<ResponseValidationErrorInit>) {
    const { message, fields } = readArguments<ResponseValidationErrorInit>(
      args,
      ({ issues = [] }) =>
        `The response does not match its schema${issues.length > 0 ? `: ${issuesText(issues)}` : ""}`,
    );
    super(message, { outcome: "accepted", attempts: 1, ...fields });
    this.issues = fields.issues ?? [];
    this.status = fields.status ?? 200;
    Object.defineProperty(this, "body", { value: fields.body, writable: true, configurable: true });
    this.headers = fields.headers ?? new Headers();
    this.request = fields.request ?? { method: "", url: "" };
  }
}
brand(ResponseValidationError, "ResponseValidationError");
