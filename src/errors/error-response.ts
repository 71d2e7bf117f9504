/** The response with which a server passes an error on to its page. */
import { isRecord } from "../json/is-record.js";
import { ApiError, type ApiErrorName, ServerError, UnauthorizedError } from "./api-error.js";
import type { NotetakerErrorName } from "./error-classes.js";
import { isRateLimited } from "./is-temporary.js";
import { NotetakerError } from "./notetaker-error.js";

/** The status for each class that is no answer of the service. */
const STATUS_BY_NAME: Readonly<Record<Exclude<NotetakerErrorName, ApiErrorName | "ConfigurationError">, number>> = {
  InvalidArgumentError: 400,
  WebhookVerificationError: 401,
  MeetingFailedError: 409,
  ConnectionError: 502,
  ResponseValidationError: 502,
  PaginationError: 502,
  TimeoutError: 504,
  WaitTimeoutError: 504,
};

/** The fields that the page receives: no cause, stack, request or body. */
const FIELDS = ["name", "code", "message", "outcome", "retryable", "attempts", "status", "retryAfterMs", "issues"];

function describe(error: unknown): [status: number, shown: NotetakerError] {
  if (error instanceof UnauthorizedError || (error instanceof ApiError && error.status === 401)) {
    return [502, refusedToken(error)];
  }
  if (isRateLimited(error)) return [429, error];
  if (error instanceof ApiError) return [error.status >= 400 && error.status < 500 ? error.status : 502, error];
  if (error instanceof NotetakerError && Object.hasOwn(STATUS_BY_NAME, error.name)) {
    return [STATUS_BY_NAME[error.name as keyof typeof STATUS_BY_NAME], error];
  }
  return [500, new ServerError("internal error", { code: undefined, attempts: 0 })];
}

/** The page's user must not be logged out because the token of the server was refused. */
const refusedToken = ({ attempts }: ApiError): ServerError =>
  new ServerError("the service refused the server's request", {
    status: 502,
    code: "upstream_unauthorized",
    outcome: "rejected",
    attempts,
  });

/**
 * The response with which your server passes an error on to its page. Its body is `{ error }`, from which `uploadFile`
 * of `notetaker-sdk/browser` and `errorFromJSON` make the error again. It contains no secret, stack, cause or host.
 *
 * | status | error |
 * |---|---|
 * | 400 | `InvalidArgumentError` |
 * | 401 | `WebhookVerificationError` |
 * | 409 | `MeetingFailedError` |
 * | 429, with `Retry-After` | `RateLimitedError` |
 * | the service's own 4xx | every other `ApiError` with a 4xx |
 * | 502 | `ServerError`, `ConnectionError`, `ResponseValidationError`, `PaginationError`; and a token that the service refused, as a `ServerError` with the code `upstream_unauthorized` |
 * | 504 | `TimeoutError`, `WaitTimeoutError` |
 * | 500 | `ConfigurationError`, and every other value: a `ServerError` that says "internal error" |
 *
 * @param error - What the `catch` of your server caught, of any type.
 * @returns The response. Its body, for example with the status 404:
 *
 * ```json
 * {
 *   "error": {
 *     "name": "NotFoundError",
 *     "code": "not_found",
 *     "message": "meetings.get: the list has no mtg_2",
 *     "outcome": "rejected",
 *     "retryable": false,
 *     "attempts": 1,
 *     "status": 404
 *   }
 * }
 * ```
 *
 * @example
 * export async function GET(): Promise<Response> {
 *   try {
 *     return Response.json(await notetaker.rooms.list());
 *   } catch (error) {
 *     return errorResponse(error);
 *   }
 * }
 */
export function errorResponse(error: unknown): Response {
  const [status, shown] = describe(error);
  const record = shown.toJSON();
  if (record.name === "ConnectionError") record.message = "the service could not be reached";
  // A long list ends with a text that counts the others.
  if (Array.isArray(record.issues)) record.issues = record.issues.filter(isRecord);
  const fields = FIELDS.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  const headers = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-store" });
  if (status === 429 && typeof record.retryAfterMs === "number") {
    headers.set("Retry-After", String(Math.ceil(record.retryAfterMs / 1_000)));
  }
  const body = JSON.stringify({ error: Object.fromEntries(fields) });
  return new Response(body, { status, headers });
}
