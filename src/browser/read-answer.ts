/** Reads what the user's own server answered. */
import { errorOfName } from "../errors/error-of-name.js";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";

/**
 * The JSON of a response of your server, `undefined` if it is empty. It rejects like `uploadFile`: with the error that
 * `errorResponse` described on the server, with its `outcome`, `retryAfterMs` and `issues`; any other refusal has the
 * class of its status, and a success that is no JSON is a `ResponseValidationError`. Guide:
 * docs/web-app.md#requests-and-their-errors.
 *
 * @example
 * const meetings = await readJson<PageEnvelope<Meeting>>(await fetch("/api/meetings"));
 */
export async function readJson<Result = unknown>(response: Response): Promise<Result> {
  const what = response.url ? new URL(response.url).pathname : "the server";
  return readAnswer(what, response, await response.text()) as Result;
}

/** The value of a successful answer. Throws the error that any other describes. */
export function readAnswer(what: string, { ok, status, headers }: Response, text: string): unknown {
  const json = parseJson(text);
  if (ok) {
    if (text === "" || json !== undefined) return json;
    throw errorOfName("ResponseValidationError", `${what} answered no JSON`, {
      outcome: "accepted",
      status,
      issues: [],
    });
  }
  throw refusal(what, status, headers, isRecord(json) && isRecord(json.error) ? json.error : {});
}

/** The types of the fields that `errorResponse` writes, beside `issues`. Any other server may have written anything. */
const FIELDS: Readonly<Record<string, string>> = {
  code: "string",
  message: "string",
  outcome: "string",
  retryable: "boolean",
  attempts: "number",
  status: "number",
  retryAfterMs: "number",
};

/** The error that a record of `errorResponse` describes, else one of the class of the status. */
function refusal(what: string, status: number, headers: Headers, record: Record<string, unknown>): Error {
  const { name, issues } = record;
  const known = Object.entries(record).filter(([field, value]) => typeof value === FIELDS[field]);
  const { message = "", ...fields } = Object.fromEntries(known) as Partial<Record<string, string>>;
  if (typeof name === "string" && /^[A-Z]\w*Error$/.test(name) && fields.outcome) {
    return errorOfName(name, message, { ...fields, ...(Array.isArray(issues) && { issues }) });
  }
  return errorOfName(
    `${NAMES[status] ?? (status < 500 ? "Api" : "Server")}Error`,
    `${what} answered ${status}${message && `: ${message}`}`,
    {
      status,
      code: fields.code,
      attempts: 1,
      outcome: status < 500 ? "rejected" : "unknown",
      retryable: status === 429,
      retryAfterMs: Math.max(...(headers.get("retry-after") ?? "").split(",").map(Number)) * 1_000 || undefined,
    },
  );
}

const NAMES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  422: "InvalidRequest",
  429: "RateLimited",
};
