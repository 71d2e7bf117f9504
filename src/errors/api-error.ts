import {
  BAD_REQUEST_CODE,
  FORBIDDEN_CODE,
  NOT_FOUND_CODE,
  RATE_LIMITED_CODE,
  REQUEST_ID_HEADERS,
  SERVER_ERROR_CODE,
  UNAUTHORIZED_CODE,
} from "../assumptions.js";
import type { ErrorDetail, ValidationIssue } from "../schemas/error-envelope.js";
import { type ErrorFields, errorClass, NotetakerError } from "./notetaker-error.js";
import { oneLine } from "./one-line.js";
import type { RateLimit } from "./rate-limit.js";

/** The request that an error is about. */
export interface RequestSummary {
  /** The HTTP method. */
  method: string;
  /** The whole URL, with its query. */
  url: string;
}

function readRequestId(headers: Headers): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name);
    if (id) return oneLine(id);
  }
  return undefined;
}

/** The service refused the call, or does not have what was requested. Usually it responded with an error status. */
export class ApiError extends /* @__PURE__ */ errorClass(NotetakerError, "ApiError") {
  declare readonly name:
    | "ApiError"
    | "BadRequestError"
    | "UnauthorizedError"
    | "ForbiddenError"
    | "NotFoundError"
    | "InvalidRequestError"
    | "RateLimitedError"
    | "ServerError"
    | (string & {});
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
  /** `false` for an empty body or a page of a firewall or proxy: then only the status decided the class. */
  readonly fromService: boolean;

  constructor(fields: ErrorFields<ApiError> = {}) {
    // `errorClass` sets the status and the code of a class on its prototype.
    const { status: classStatus = 0, code: classCode } = new.target.prototype as Partial<ApiError>;
    const {
      status = classStatus,
      code,
      details,
      body,
      rateLimit,
    }: ErrorFields<ApiError> = { code: classCode, ...fields };
    const message = fields.message ?? ["The service answered", status, code].filter(Boolean).join(" ");
    super({ outcome: status >= 500 ? "unknown" : "rejected", attempts: 1, ...fields, message });
    this.status = status;
    this.code = code;
    this.details = details;
    this.body = body;
    this.headers = fields.headers ?? new Headers();
    this.rateLimit = rateLimit;
    this.requestId = fields.requestId ?? readRequestId(this.headers);
    this.request = fields.request ?? { method: "", url: "" };
    this.fromService = fields.fromService ?? true;
  }
}

/** Status 400, code `bad_request`. On send bot: the link cannot be used, or the account has no calendar. */
export class BadRequestError extends /* @__PURE__ */ errorClass(ApiError, "BadRequestError", {
  status: 400,
  code: BAD_REQUEST_CODE,
}) {
  declare readonly name: "BadRequestError";
}

/** Status 401, code `unauthorized`: the token is missing, wrong or expired. */
export class UnauthorizedError extends /* @__PURE__ */ errorClass(ApiError, "UnauthorizedError", {
  status: 401,
  code: UNAUTHORIZED_CODE,
}) {
  declare readonly name: "UnauthorizedError";
}

/** Status 403, code `forbidden`. On send bot: the usage limit is exceeded, and the plan must be upgraded. */
export class ForbiddenError extends /* @__PURE__ */ errorClass(ApiError, "ForbiddenError", {
  status: 403,
  code: FORBIDDEN_CODE,
}) {
  declare readonly name: "ForbiddenError";
}

/** Status 404, code `not_found`: the resource does not exist, or this account has no access to it. */
export class NotFoundError extends /* @__PURE__ */ errorClass(ApiError, "NotFoundError", {
  status: 404,
  code: NOT_FOUND_CODE,
}) {
  declare readonly name: "NotFoundError";
}

/** The service found the request invalid, and sent a validation envelope (status 422): see `issues`. */
export class InvalidRequestError extends /* @__PURE__ */ errorClass(ApiError, "InvalidRequestError", { status: 422 }) {
  declare readonly name: "InvalidRequestError";
  /** Each `detail` of the envelope: the first 20, then one that counts the others. `body` has all of them. */
  readonly issues: readonly ValidationIssue[];

  constructor(fields: ErrorFields<InvalidRequestError> = {}) {
    super({ ...fields, message: fields.message ?? "The service found the request invalid" });
    this.issues = fields.issues ?? [];
  }
}

/** Status 429, code `rate_limited`: more requests than allowed. The service did nothing; the call may be repeated. */
export class RateLimitedError extends /* @__PURE__ */ errorClass(ApiError, "RateLimitedError", {
  status: 429,
  code: RATE_LIMITED_CODE,
}) {
  declare readonly name: "RateLimitedError";
  /** How long the service asks to wait, in milliseconds; `undefined` if the response does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: ErrorFields<RateLimitedError> = {}) {
    const wait = fields.retryAfterMs === undefined ? "" : `: try again in ${fields.retryAfterMs} ms`;
    const message = fields.message ?? `The service answered 429 rate_limited${wait}`;
    super({ retryable: true, ...fields, message });
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** Status 500 and above: the service may or may not have acted (`outcome` is `unknown`). */
export class ServerError extends /* @__PURE__ */ errorClass(ApiError, "ServerError", {
  status: 500,
  code: SERVER_ERROR_CODE,
}) {
  declare readonly name: "ServerError";
}
