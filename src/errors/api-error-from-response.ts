/** Decides which error an unsuccessful answer is. */
import * as z from "zod/mini";
import { errorDetailSchema, type ValidationIssue, validationIssueSchema } from "../schemas/error-envelope.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import { UNSHOWN_ERROR_CODES } from "../unshown.js";
import { ApiError, type ApiErrorInit, type RequestSummary } from "./api-error.js";
import { BadRequestError } from "./bad-request-error.js";
import { ForbiddenError } from "./forbidden-error.js";
import { InvalidRequestError } from "./invalid-request-error.js";
import { oneLine } from "./message.js";
import { NotFoundError } from "./not-found-error.js";
import { RateLimitedError } from "./rate-limited-error.js";
import { readRateLimitReset, readRetryAfter } from "./retry-after.js";
import { ServerError } from "./server-error.js";
import { UnauthorizedError } from "./unauthorized-error.js";

/** How much of a body that is no envelope an error keeps, in characters. */
export const BODY_EXCERPT = 2048;

/** A text as JSON, by `parse`; `undefined` where it is none. */
export function parsedJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

export interface FailedAnswer {
  status: number;
  headers: Headers;
  /** The body as text, secrets replaced. */
  text: string;
  /** The body as parsed, secrets replaced; `undefined` where it is not JSON. Default: `text`, parsed. */
  json?: unknown;
  request: RequestSummary;
  /** The path as it is shown in the message. */
  path: string;
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  500: ServerError,
};

const details = z.array(errorDetailSchema);

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

/** An element of `detail`, also where it is not of the shape that the interface shows: the whole of it is in `body`. */
const validationIssue = (one: unknown): ValidationIssue =>
  validationIssueSchema.safeParse(one).success
    ? (one as ValidationIssue)
    : { loc: [], msg: asText(one) ?? asText(field(one, "msg")) ?? JSON.stringify(one), type: "" };

/** The status that a known code stands for: a code decides before the status does. */
const statusOfCode = (code: string | undefined) =>
  Number(Object.entries(UNSHOWN_ERROR_CODES).find(([, known]) => known === code)?.[0]) || undefined;

export function apiErrorFromResponse(answer: FailedAnswer): ApiError {
  const { status, headers, text, request, path } = answer;
  const json = "json" in answer ? answer.json : parsedJson(text);
  const envelope = field(json, "error");
  const detail = field(json, "detail");
  const code = asText(field(envelope, "code"));
  const recognized = code !== undefined || detail !== undefined;
  const said = asText(field(envelope, "message")) ?? asText(envelope) ?? asText(detail);

  const init: ApiErrorInit = {
    status,
    code,
    details: details.safeParse(field(envelope, "details")).data,
    body: recognized ? json : text.slice(0, BODY_EXCERPT),
    headers,
    rateLimit: readRateLimit(headers),
    request,
  };
  const answered = `${request.method} ${path} answered ${status}${code === undefined ? "" : ` ${oneLine(code, 60)}`}`;
  const message = said ? `${answered}: ${oneLine(said)}` : answered;

  if (Array.isArray(detail)) {
    const issues = detail.map(validationIssue);
    const where = issues.slice(0, 3).map(({ loc, msg }) => (loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`));
    const text = oneLine(where.join("; ")) || "invalid request";
    return new InvalidRequestError(`${answered}: ${text}`, { ...init, issues });
  }

  const meant = statusOfCode(code) ?? status;
  if (meant === 429) {
    const retryAfterMs = readRetryAfter(headers) ?? readRateLimitReset(headers);
    return new RateLimitedError(message, { ...init, retryAfterMs });
  }
  const ErrorClass = CLASSES[meant] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(message, init);
}
