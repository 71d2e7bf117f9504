import { isRecord } from "../json/is-record.js";
import { ApiError, InvalidRequestError, NotFoundError, ServerError, UnauthorizedError } from "./api-error.js";
import { SHOWN_AS } from "./error-classes.js";
import { isRateLimited } from "./is-temporary.js";
import { NotetakerError } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** Any character beyond ASCII counts as a letter: `\p{L}` would become large tables in React Native. */
const MACHINE =
  /:\/\/|\S@\S|[\w\u0080-\uffff-]\.[a-z\u0080-\uffff][\w\u0080-\uffff-]|\d\.\d{1,3}\.\d{1,3}\.\d|\w:\d|::|[\da-f]:[\da-f]{1,4}:|\blocalhost\b|\\|\(<anonymous>\)/i;

/** The beginning of the library's own messages: `meetings.get: the list has no mtg_2`. */
const OPERATION_PREFIX = /^[a-z]+\.[a-zA-Z]+: /;

/** Whether `text` names no host, address or line of code. A bare host such as `postgres` is not recognised. */
const namesNoMachine = (text: string): boolean => !MACHINE.test(text.replace(OPERATION_PREFIX, ""));

const shownText = (text: unknown, replacement: string): string =>
  typeof text === "string" && namesNoMachine(text) ? text : replacement;

function shownIssue(issue: unknown): Record<string, unknown>[] {
  // A long list ends with a text that counts the others.
  if (!isRecord(issue)) return [];
  const { path, code, message, loc, msg, type } = issue;
  if (!Array.isArray(loc)) return [{ path, code, message }];
  const shownLoc = loc.map((part: unknown) => (typeof part === "number" ? part : shownText(part, "…")));
  return [{ loc: shownLoc, msg: shownText(msg, "invalid"), type: shownText(type, "") }];
}

/** Where and what is wrong, without the request's values (`input`), `ctx`, and texts that name a machine. */
const shownIssues = (issues: unknown): Record<string, unknown>[] | undefined =>
  Array.isArray(issues) ? issues.flatMap(shownIssue) : undefined;

/** The status of the response, and the error that it describes. `message` replaces that of the error. */
function describe(error: unknown): [status: number, shown: NotetakerError, message?: string | undefined] {
  if (error instanceof UnauthorizedError || (error instanceof ApiError && error.status === 401)) {
    return [502, refusedToken(error)];
  }
  if (isRateLimited(error)) return [429, error, refusalMessage(error)];
  if (error instanceof ApiError) {
    // A success without the requested resource is a `NotFoundError` as well.
    const status = error instanceof NotFoundError && error.status < 400 ? 404 : error.status;
    return status >= 400 && status < 500 ? [status, error, refusalMessage(error)] : [502, error, summaryOf(error)];
  }
  if (error instanceof NotetakerError && Object.hasOwn(SHOWN_AS, error.name)) {
    const [status, message] = SHOWN_AS[error.name as keyof typeof SHOWN_AS];
    return [status, error, message];
  }
  return [500, new ServerError({ message: "internal error", code: undefined, attempts: 0 })];
}

/** The page's user must not be logged out because the token of the server was refused. */
const refusedToken = ({ attempts }: ApiError): ServerError =>
  new ServerError({
    message: "the service refused the server's request",
    status: 502,
    code: "upstream_unauthorized",
    outcome: "rejected",
    attempts,
  });

const shownCode = (code: unknown): string | undefined =>
  typeof code === "string" && namesNoMachine(code) ? code : undefined;

const summaryOf = ({ status, code }: ApiError): string =>
  ["the service answered", status, shownCode(code)].filter(Boolean).join(" ");

/** The error's own message, or a summary if the message names a machine. */
function refusalMessage(error: ApiError): string {
  if (!(error instanceof InvalidRequestError)) return namesNoMachine(error.message) ? error.message : summaryOf(error);
  const issues = shownIssues(error.toJSON().issues) ?? [];
  const parts = issues.map(({ loc, msg }) => ({ path: (loc as unknown[]).join("."), message: msg as string }));
  return parts.length === 0 ? summaryOf(error) : `${summaryOf(error)}: ${issuesText(parts)}`;
}

/**
 * The response with which your server passes an error on to its page. Its body is `{ error }`, from which `uploadFile`
 * and `readJson` of `notetaker-sdk/browser` make the error again. It contains no secret, stack, cause or host: the
 * message is a fixed sentence for a 5xx, and if the service's words name a host, an address or a line of code.
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
 * @param error - What the `catch` of your server caught, of any type.
 * @returns The response. `error` in its body has `name`, `code`, `message`, `outcome`, `retryable` and `attempts`, and
 * `status`, `retryAfterMs` and `issues` as far as the error has them.
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
  const [status, shown, message = shown.message] = describe(error);
  const { name, outcome, retryable, attempts, ...fields } = shown.toJSON();
  const described = {
    ...{ name, code: shownCode(fields.code), message, outcome, retryable, attempts },
    ...{ status: fields.status, retryAfterMs: fields.retryAfterMs, issues: shownIssues(fields.issues) },
    ...(fields.fromService === false ? { fromService: false } : {}),
  };
  const headers = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-store" });
  if (status === 429 && typeof fields.retryAfterMs === "number") {
    headers.set("Retry-After", String(Math.ceil(fields.retryAfterMs / 1_000)));
  }
  return new Response(JSON.stringify({ error: described }), { status, headers });
}
