/** Makes the error for an unsuccessful response: reads its fields. `error-classes.ts` decides its class. */

import { andMore, MAX_ISSUES } from "../checks/format-issues.js";
import { isRecord } from "../json/is-record.js";
import { errorDetailSchema, type ValidationIssue, validationIssueSchema } from "../schemas/error-envelope.js";
import { responseArray } from "../schemas/response-array.js";
import {
  type ApiError,
  InvalidRequestError,
  RateLimitedError,
  type RequestSummary,
  UnauthorizedError,
} from "./api-error.js";
import { errorClassFor } from "./error-classes.js";
import type { ErrorFields } from "./notetaker-error.js";
import { joinFirst, oneLine } from "./one-line.js";
import { readRateLimit } from "./rate-limit.js";
import { readRateLimitReset, readRetryAfter } from "./retry-after.js";

/** If the body is not an envelope, an error keeps at most this many characters of it. */
export const BODY_EXCERPT = 2048;

export interface ErrorResponse {
  status: number;
  headers: Headers;
  /** The start of the body as text, with secrets replaced. An error keeps it if the body is not an envelope. */
  text: string;
  /** The parsed body, with secrets replaced; `undefined` if the body is not JSON. */
  json: unknown;
  request: RequestSummary;
  path: string;
  tokenSource: string;
}

interface Envelope {
  isEnvelope: boolean;
  code: string | undefined;
  serviceMessage: string | undefined;
  details: ApiError["details"];
  validationIssues: readonly unknown[] | undefined;
}

const detailsSchema = responseArray(errorDetailSchema);

const field = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const textField = (value: unknown, name: string): string | undefined => {
  const text = field(value, name);
  return typeof text === "string" ? text : undefined;
};

/** Reads `{ error: { code, message, details } }`, `{ error: text }`, `{ detail: text | list }`, `{ code, message }`. */
function readEnvelope(json: unknown): Envelope {
  const error = field(json, "error");
  const detail = field(json, "detail");
  const code = textField(error, "code") ?? (error === undefined ? textField(json, "code") : undefined);
  return {
    isEnvelope: code !== undefined || detail !== undefined,
    code,
    serviceMessage:
      textField(error, "message") ??
      textField(json, "error") ??
      textField(json, "detail") ??
      textField(json, "message"),
    details: detailsSchema.safeParse(field(error, "details") ?? field(json, "details")).data,
    validationIssues: Array.isArray(detail) ? detail : undefined,
  };
}

function toValidationIssue(detail: unknown): ValidationIssue {
  const parsed = validationIssueSchema.safeParse(detail);
  if (parsed.success) return detail as ValidationIssue;
  const msg = typeof detail === "string" ? detail : (textField(detail, "msg") ?? oneLine(JSON.stringify(detail)));
  return { loc: [], msg, type: "" };
}

/** For example `GET /rooms answered 404 not_found: room not found`, in one line. */
function messageFor(
  { request, path, status }: ErrorResponse,
  { code, serviceMessage = "" }: Envelope,
  line = oneLine(serviceMessage),
): string {
  const summary = `${request.method} ${path} answered ${status}${code === undefined ? "" : ` ${oneLine(code, 60)}`}`;
  return line ? `${summary}: ${line}` : summary;
}

function invalidRequestError(
  response: ErrorResponse,
  envelope: Envelope,
  details: readonly unknown[],
  init: ErrorFields<ApiError>,
): InvalidRequestError {
  const issues = details.slice(0, MAX_ISSUES).map(toValidationIssue);
  const texts = issues.map(({ loc, msg }) => (loc.length === 0 ? msg : `${oneLine(loc.join("."), 200)}: ${msg}`));
  const omitted = details.length - issues.length;
  const message = messageFor(response, envelope, joinFirst(texts, details.length) || "invalid request");
  if (omitted > 0) issues.push({ loc: [], msg: andMore(omitted), type: "" });
  return new InvalidRequestError({ message, ...init, issues });
}

export function apiErrorFromResponse(response: ErrorResponse): ApiError {
  const { status, headers, text, json, request } = response;
  const envelope = readEnvelope(json);
  const { code, details, validationIssues } = envelope;
  const init: ErrorFields<ApiError> = {
    status,
    code,
    details,
    body: envelope.isEnvelope ? json : text,
    headers,
    rateLimit: readRateLimit(headers),
    request,
    fromService: envelope.isEnvelope,
  };
  if (validationIssues !== undefined) return invalidRequestError(response, envelope, validationIssues, init);

  const ErrorClass = errorClassFor(status, code);
  const hint = ErrorClass === UnauthorizedError ? `; the token came from ${response.tokenSource}` : "";
  const message = messageFor(response, envelope) + hint;
  if (ErrorClass !== RateLimitedError) return new ErrorClass({ message, ...init });
  const retryAfterMs = readRetryAfter(headers) ?? readRateLimitReset(headers);
  return new RateLimitedError({ message, ...init, retryAfterMs });
}
