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
  /** What arrived. */
  body?: unknown;
  /** The headers of the response. Default: none. */
  headers?: Headers | undefined;
  /** The request. Default: empty texts. */
  request?: RequestSummary | undefined;
}

/** A success whose body is not JSON, or not of the promised shape. The service has acted: `outcome` is `accepted`. */
export class ResponseValidationError extends NotetakerError {
  declare readonly name: "ResponseValidationError";
  /**
   * Which parts of the response are invalid: paths and kinds, no content. The first 20, then one that counts the
   * others.
   */
  readonly issues: readonly Issue[];
  /** HTTP status. */
  readonly status: number;
  /**
   * What arrived: as parsed, or the first 2 KiB of its text if it is not JSON. Secrets are replaced. It is not
   * enumerable, and not in the error's record: it may be a conversation.
   */
  declare readonly body: unknown;
  /** The headers of the response. Secrets are replaced. */
  readonly headers: Headers;
  /** The request that was answered. */
  readonly request: RequestSummary;

  constructor(message: string, fields?: ResponseValidationErrorInit);
  constructor(fields?: ResponseValidationErrorInit);
  constructor(...args: ErrorArguments<ResponseValidationErrorInit>) {
    const { message, fields } = readArguments<ResponseValidationErrorInit>(
      args,
      ({ issues = [] }) => `The response is not as promised${issues.length > 0 ? `: ${issuesText(issues)}` : ""}`,
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
