import { REQUEST_ID_HEADERS } from "../assumptions.js";
import type { ErrorDetail } from "../schemas/error-envelope.js";
import type { RateLimit } from "../schemas/rate-limit.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";
import { oneLine } from "./one-line.js";

/** The request that an error is about. */
export interface RequestSummary {
  /** The HTTP method. */
  method: string;
  /** The whole URL, with its query. */
  url: string;
}

/** The names of the error classes for responses of the service. */
export type ApiErrorName =
  | "ApiError"
  | "BadRequestError"
  | "UnauthorizedError"
  | "ForbiddenError"
  | "NotFoundError"
  | "InvalidRequestError"
  | "RateLimitedError"
  | "ServerError";

/** The fields of an {@link ApiError}. Each can be left out. Default of `status` and `code`: those of the class. */
export interface ApiErrorInit extends ErrorInit {
  /** HTTP status. */
  status?: number | undefined;
  /** The code of the error envelope. */
  code?: string | undefined;
  /** The details of the error envelope. */
  details?: readonly ErrorDetail[] | undefined;
  /** The body of the response. */
  body?: unknown;
  /** The headers of the response. Default: none. */
  headers?: Headers | undefined;
  /** The rate limit that the headers report. */
  rateLimit?: RateLimit | undefined;
  /** The id that the service gave the request. Default: read from `headers`. */
  requestId?: string | undefined;
  /** The request. Default: empty texts. */
  request?: RequestSummary | undefined;
}

function readRequestId(headers: Headers): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name);
    if (id) return oneLine(id);
  }
  return undefined;
}

/** The service refused the call, or does not have what was requested. Usually it responded with an error status. */
export class ApiError extends NotetakerError {
  declare readonly name: ApiErrorName | (string & {});
  /** HTTP status. */
  readonly status: number;
  /** The `code` of the error envelope, such as `not_found`; `undefined` if the body has none. */
  readonly code: string | undefined;
  /** The `details` of the error envelope: which field is wrong, and why. */
  readonly details: readonly ErrorDetail[] | undefined;
  /** The body: the parsed envelope, or the first 2,048 characters of any other body. Secrets are replaced. */
  readonly body: unknown;
  /** The headers of the response. Secrets are replaced. */
  readonly headers: Headers;
  /** The rate limit that the headers report. */
  readonly rateLimit: RateLimit | undefined;
  /** The id that the service gave the request (`x-request-id`, or `request-id`): quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** The request that the response belongs to. */
  readonly request: RequestSummary;

  constructor(message: string, fields?: ApiErrorInit);
  constructor(fields?: ApiErrorInit);
  constructor(...args: ErrorArguments<ApiErrorInit>) {
    // `brand` sets the status and the code of a class on its prototype.
    const { status: classStatus = 0, code: classCode } = new.target.prototype as Partial<ApiError>;
    const defaults = { status: classStatus, code: classCode };
    const { message, fields } = readArguments<ApiErrorInit>(args, (ownFields) => {
      const { status, code } = { ...defaults, ...ownFields };
      return ["The service answered", status, code].filter(Boolean).join(" ");
    });
    const { status = classStatus, code, details, body, rateLimit }: ApiErrorInit = { ...defaults, ...fields };
    super(message, { outcome: status >= 500 ? "unknown" : "rejected", attempts: 1, ...fields });
    this.status = status;
    this.code = code;
    this.details = details;
    this.body = body;
    this.headers = fields.headers ?? new Headers();
    this.rateLimit = rateLimit;
    this.requestId = fields.requestId ?? readRequestId(this.headers);
    this.request = fields.request ?? { method: "", url: "" };
  }
}
brand(ApiError, "ApiError");
